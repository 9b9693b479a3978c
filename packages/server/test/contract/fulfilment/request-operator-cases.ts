import { expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import { BY, erasedOutcome, HOUR, heldOutcome, planned, plannedHeld, START } from './under-test.ts';
import type { UseStore } from './use-store.ts';

export function casesOfRequestOperators(use: UseStore): void {
  async function identify(request: RequestKey): Promise<void> {
    const { under } = use();
    const sealed = under.sealIdentities(request, [new Identity('email', 'j@example.com')]);
    await under.operator.identify(request, { sealed, digests: [Buffer.alloc(32, 7)] }, BY);
  }

  const lastAction = async (request: RequestKey) =>
    (await use().under.audit(request)).at(-1)?.action;

  it('asking for a start is refused for all but pending requests', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('crm')]);
    const { subjectRequestId } = request;
    await expect(under.operator.askStart(request, BY)).rejects.toThrow(
      `request ${subjectRequestId} is in_progress and cannot be started; only pending ones are`,
    );
    const unknown = { ...request, subjectRequestId: 'nobody' as typeof subjectRequestId };
    await expect(under.operator.askStart(unknown, BY)).rejects.toThrow(
      'there is no request nobody',
    );
    await expect(under.operator.retry(unknown, BY)).rejects.toThrow('there is no request nobody');
    await expect(identify(unknown)).rejects.toThrow('there is no request nobody');
  });

  it('a retry makes waiting tasks due at once, and tries a target whose circuit is open', async () => {
    const { under, scene, clock } = use();
    const request = await scene.started([planned('crm'), planned('shop'), planned('mail')]);
    const other = await scene.started([planned('logs')]);
    const dueTime = START + 5 * HOUR;
    for (const target of ['crm', 'logs']) {
      await scene.work(target, (taskNo) => ({
        taskNo,
        outcome: 'failed',
        code: 'x',
        detail: 'y',
        dueTime,
      }));
    }
    await scene.work('mail', (taskNo) => heldOutcome(taskNo, 'over_cap', 5));
    const circuit = { code: 'x', detail: 'y', failures: 1, openedTime: START, probeTime: dueTime };
    for (const target of ['shop', 'logs']) await under.store.openCircuit({ target, ...circuit });

    expect(await under.operator.retry(request, BY)).toBe(2);
    expect(await scene.task(request, 'crm')).toMatchObject({ state: 'failed', dueTime: BY.now });
    expect(await scene.task(request, 'mail')).toMatchObject({ state: 'held', dueTime: null });
    expect((await scene.task(other, 'logs')).dueTime).toBe(dueTime);
    expect((await under.store.circuit('shop'))?.probeTime).toBe(BY.now);
    expect((await under.store.circuit('logs'))?.probeTime).toBe(dueTime);
    expect(await lastAction(request)).toBe('request.retried');
    clock.now = BY.now;
    expect((await scene.lease('crm')).tasks).toHaveLength(1);
  });

  it("a retry does not unblock tasks that wait for another target's lookup", async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('crm', 'resolve'), planned('mail')]);
    expect(await under.operator.retry(request, BY)).toBe(1);
    expect((await scene.task(request, 'mail')).dueTime).toBeNull();
  });

  it('a retry frees a task that waits for no target', async () => {
    const { under, scene, clock } = use();
    const request = await scene.started([planned('crm'), planned('shop', 'resolve')]);
    const times = { dueTime: null, changedTime: START, leaseUntil: undefined };
    const stuck = { state: 'waiting', ...times } as const;
    for (const target of ['crm', 'shop']) {
      const { taskNo } = await scene.task(request, target);
      await under.forceTasks([
        { ...stuck, taskNo, phase: target === 'shop' ? 'resolve' : 'erase' },
      ]);
    }
    await under.operator.retry(request, BY);
    expect((await scene.task(request, 'shop')).dueTime).toBe(BY.now);
    clock.now = BY.now;
    await scene.work('shop', (taskNo) => ({ taskNo, outcome: 'resolved' }));
    const { taskNo: crmNo } = await scene.task(request, 'crm');
    await under.forceTasks([{ ...stuck, taskNo: crmNo, phase: 'erase' }]);
    await under.operator.retry(request, BY);
    expect((await scene.task(request, 'crm')).dueTime).toBe(BY.now);
  });

  it('a retry is refused unless the request is in progress', async () => {
    const { under, scene } = use();
    const request = await scene.create();
    await expect(under.operator.retry(request, BY)).rejects.toThrow(
      `request ${request.subjectRequestId} is pending and cannot be retried; only those in progress are`,
    );
  });

  it('a pending request keeps the identities that are added until it starts', async () => {
    const { under, scene } = use();
    const request = await scene.create();
    await identify(request);
    expect(await scene.statusOf(request)).toBe('pending');
    expect(await under.tasks.sealedIdentities(request)).toHaveLength(2);
    expect(await lastAction(request)).toBe('request.identified');
    await under.requests.cancel({ ...request, actor: 'client:one' });
    expect(await under.tasks.sealedIdentities(request)).toEqual([]);
  });

  it('a request without identities is planned again when it gets some', async () => {
    const { under, scene } = use();
    const request = await scene.create({ identities: [] });
    await scene.start(request, [plannedHeld('manual')]);
    await identify(request);
    expect(await scene.tasksOf(request)).toEqual([]);
    expect(await scene.statusOf(request)).toBe('in_progress');
    expect((await scene.due(request)).identities).toHaveLength(1);
    expect(await scene.start(request, [planned('crm')])).toBe(1);
    expect(await under.store.dueRequests(START + HOUR, 10)).toEqual([]);
    expect(await scene.tasksOf(request)).toMatchObject([{ target: 'crm', state: 'waiting' }]);
    expect(await under.tasks.planOf(request)).toMatchObject([{ target: 'crm' }]);
    await scene.work('crm', erasedOutcome);
    expect(await scene.statusOf(request)).toBe('completed');
  });

  it('a task that erased with fewer identities, or is running, gets another run', async () => {
    const { scene, clock } = use();
    const request = await scene.started(['crm', 'shop', 'mail'].map((it) => planned(it)));
    await scene.work('crm', erasedOutcome);
    const running = await scene.lease('shop');
    await identify(request);
    const runs = (await scene.tasksOf(request)).map(({ target, run, state }) => [
      target,
      run,
      state,
    ]);
    expect(runs).toEqual([
      ['crm', 1, 'erased'],
      ['shop', 1, 'running'],
      ['mail', 1, 'waiting'],
      ['crm', 2, 'waiting'],
      ['shop', 2, 'waiting'],
    ]);
    expect(running.tasks[0]?.identities).toHaveLength(1);
    clock.now = BY.now;
    expect((await scene.lease('crm')).tasks[0]?.identities).toHaveLength(2);
  });

  it('tasks that an operator confirmed or retained are held for a new decision', async () => {
    const { under, scene } = use();
    const request = await scene.started([plannedHeld('paper'), planned('crm'), planned('mail')]);
    await under.operator.confirm((await scene.task(request, 'paper')).taskNo, 'shredded', BY);
    const why = { reason: 'an open lawsuit', legalBasis: 'Art. 17(3)(e) GDPR' };
    await under.operator.retain((await scene.task(request, 'crm')).taskNo, why, BY);
    await identify(request);
    expect(await scene.task(request, 'paper')).toMatchObject({
      run: 2,
      state: 'held',
      reason: 'manual',
    });
    expect(await scene.task(request, 'crm')).toMatchObject({
      run: 2,
      state: 'held',
      reason: 'retained_before',
      dueTime: null,
    });
    await under.operator.release((await scene.task(request, 'crm')).taskNo, BY);
    expect(await scene.task(request, 'crm')).toMatchObject({ state: 'waiting', dueTime: BY.now });
  });

  it('a task that had no usable identity continues', async () => {
    const { scene } = use();
    const request = await scene.started([planned('crm')]);
    await scene.work('crm', (taskNo) => heldOutcome(taskNo, 'no_usable_identity', null));
    await identify(request);
    expect(await scene.tasksOf(request)).toMatchObject([
      { run: 1, state: 'waiting', dueTime: BY.now, reason: null },
    ]);
  });

  it('nothing is erased early for identities that are added while a target looks up', async () => {
    const { scene, clock, under } = use();
    const request = await scene.started([planned('crm', 'resolve'), planned('mail')]);
    const batch = await scene.lease('crm');
    await identify(request);
    expect(await scene.task(request, 'crm')).toMatchObject({
      run: 2,
      phase: 'resolve',
      dueTime: BY.now,
    });
    const taskNo = batch.tasks[0]?.taskNo ?? 0;
    await under.store.recordOutcomes(batch, [{ taskNo, outcome: 'resolved' }], [], clock.now);
    expect((await scene.task(request, 'mail')).dueTime).toBeNull();
    clock.now = BY.now;
    await scene.work('crm', (no) => ({ taskNo: no, outcome: 'resolved' }));
    const standing = { phase: 'erase', dueTime: BY.now };
    expect(await scene.tasksOf(request)).toMatchObject([
      { target: 'crm', run: 1, ...standing },
      { target: 'mail', ...standing },
      { target: 'crm', run: 2, phase: 'erase', dueTime: null },
    ]);
    await scene.work('crm', (no) => heldOutcome(no, 'over_cap', 5));
    expect(await scene.task(request, 'crm')).toMatchObject({ run: 2, ...standing });
  });

  it.each(['erased', 'waiting', 'failed', 'held', 'running'] as const)(
    'a target that has resolved and is %s resolves for them too, before anything is erased',
    async (state) => {
      const { scene, under, clock } = use();
      const request = await scene.started([planned('crm', 'resolve'), planned('mail')]);
      await scene.work('crm', (taskNo) => ({ taskNo, outcome: 'resolved' }));
      const dueTime = clock.now + HOUR;
      if (state === 'running') await scene.lease('crm');
      else if (state === 'held') await scene.work('crm', (no) => heldOutcome(no, 'over_cap', 9));
      else if (state === 'erased') await scene.work('crm', erasedOutcome);
      else if (state === 'failed') {
        await scene.work('crm', (taskNo) => ({
          taskNo,
          outcome: 'failed',
          code: 'x',
          detail: 'y',
          dueTime,
        }));
      }
      await identify(request);
      expect(await scene.task(request, 'crm')).toMatchObject({
        phase: 'resolve',
        state: 'waiting',
        dueTime: BY.now,
      });
      expect(await scene.task(request, 'mail')).toMatchObject({ state: 'waiting', dueTime: null });
      clock.now = BY.now;
      const leased = await under.store.targetsWithWork(clock.now);
      expect(leased).toContain('crm');
      expect(leased).not.toContain('mail');
    },
  );

  it('a request that is over cannot be given identities', async () => {
    const { under, scene } = use();
    const cancelled = await scene.create();
    await under.requests.cancel({ ...cancelled, actor: 'client:one' });
    await expect(identify(cancelled)).rejects.toThrow(
      `request ${cancelled.subjectRequestId} is cancelled and cannot be given identities`,
    );
    const completed = await scene.started([planned('crm')]);
    await scene.work('crm', erasedOutcome);
    await expect(identify(completed)).rejects.toThrow(
      'is completed and cannot be given identities',
    );
    expect(await under.tasks.sealedIdentities(cancelled)).toEqual([]);
    expect(await under.tasks.sealedIdentities(completed)).toHaveLength(1);
  });
}
