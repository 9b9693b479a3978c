import { expect, it } from 'vitest';
import type { EraseAgainQuery } from '../../../src/domain/request/forgetting-ports.ts';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import type { PlannedTask } from '../../../src/domain/task/task.ts';
import {
  ACME,
  BY,
  DAY,
  erasedOutcome,
  GLOBEX,
  HOUR,
  heldOutcome,
  planned,
  plannedHeld,
  START,
} from './under-test.ts';
import type { UseStore } from './use-store.ts';

const AT_SHOP: EraseAgainQuery = {
  target: 'shop',
  since: START,
  until: START + HOUR,
  controllers: null,
};

export function casesOfErasingAgain(use: UseStore): void {
  const erase = (target = 'shop') => use().scene.work(target, (taskNo) => erasedOutcome(taskNo));

  async function completed(changes = {}): Promise<RequestKey> {
    const request = await use().scene.started([planned('shop')], changes);
    await erase();
    return request;
  }

  function again(query: Partial<EraseAgainQuery> = {}, task: PlannedTask = planned('shop')) {
    const { under, clock } = use();
    const by = { actor: BY.actor, now: clock.now };
    return under.forgettingOperator.eraseAgain({ ...AT_SHOP, ...query }, task, by);
  }

  const count = (query: Partial<EraseAgainQuery> = {}) =>
    use().under.forgettingOperator.countEraseAgain({ ...AT_SHOP, ...query });

  it('gives completed requests another run, and they stay completed all the time', async () => {
    const { under, scene, clock } = use();
    const request = await completed();
    clock.now += 2 * DAY;
    expect(await count()).toEqual({ runs: 1, shredded: 0, open: 0, nobody: 0 });
    expect(await scene.tasksOf(request)).toHaveLength(1);
    expect(await again()).toBe(1);
    expect(await scene.statusOf(request)).toBe('completed');

    expect(await under.store.targetsWithWork(clock.now)).toEqual(['shop']);
    const batch = await scene.lease('shop');
    expect(batch.tasks[0]?.identities).toHaveLength(1);
    expect(await scene.statusOf(request)).toBe('completed');
    const taskNo = batch.tasks[0]?.taskNo ?? 0;
    await under.store.recordOutcomes(batch, [erasedOutcome(taskNo)], [], clock.now);

    expect(await scene.statusOf(request)).toBe('completed');
    expect(
      (await scene.tasksOf(request)).map(({ run, evidence }) => [run, evidence?.action]),
    ).toEqual([
      [1, 'erased'],
      [2, 'erased'],
    ]);
    const actions = (await under.audit(request)).map(({ action, actor }) => [action, actor]);
    expect(actions).toContainEqual(['request.erase_again_asked', BY.actor]);
    expect(actions.at(-1)).toEqual(['request.erased_again', 'system']);
    expect(actions.filter(([action]) => action === 'request.completed')).toHaveLength(1);
  });

  it('does not shred or forget a request before its run has ended', async () => {
    const { under, scene, clock } = use();
    const request = await completed();
    await again();
    const later = clock.now + 1000 * DAY;
    await scene.create();
    expect(await under.forgetting.anyToShred(later)).toBe(false);
    expect(await under.forgetting.anyToForget(later)).toBe(false);
    await scene.work('shop', (taskNo) => heldOutcome(taskNo, 'over_cap', 9));
    expect(await under.forgetting.anyToShred(later)).toBe(false);

    await under.operator.release((await scene.task(request, 'shop')).taskNo, BY);
    clock.now = BY.now;
    await erase();
    expect(await under.forgetting.shred(later, 10, later)).toBe(1);
    expect(await under.forgetting.forget(later, 10)).toBe(1);
  });

  it('skips requests that are shredded, open or without identities, and counts them', async () => {
    const { under, scene, clock } = use();
    await completed();
    await under.forgetting.shred(clock.now, 10, clock.now);
    await completed();
    await again();
    await erase();
    await completed();
    await again();
    const nobody = await scene.started([plannedHeld('paper')], { identities: [] });
    await under.operator.confirm((await scene.task(nobody, 'paper')).taskNo, 'nothing there', {
      actor: BY.actor,
      now: clock.now,
    });
    expect(await count()).toEqual({ runs: 0, shredded: 1, open: 2, nobody: 1 });
    expect(await again()).toBe(0);
  });

  it('takes only requests of the time and the controllers that were named', async () => {
    const { clock } = use();
    await completed();
    await completed({ controllerId: GLOBEX });
    clock.now += DAY;
    await completed();
    expect(await count()).toMatchObject({ runs: 2 });
    expect(await count({ controllers: [ACME] })).toMatchObject({ runs: 1 });
    expect(await count({ controllers: [] })).toMatchObject({ runs: 0 });
    expect(await count({ since: START + DAY, until: START + 2 * DAY })).toMatchObject({ runs: 1 });
    expect(await again({ controllers: [GLOBEX] })).toBe(1);
    expect(await count()).toMatchObject({ runs: 1, open: 1 });
  });

  it('makes a first run at a target that the plan did not have', async () => {
    const { scene } = use();
    const request = await completed();
    expect(await again({ target: 'crm' }, planned('crm'))).toBe(1);
    expect(await scene.task(request, 'crm')).toMatchObject({ run: 1, state: 'waiting' });
    await erase('crm');
    expect(await scene.statusOf(request)).toBe('completed');
    expect((await scene.task(request, 'crm')).evidence).toMatchObject({ action: 'erased' });
  });

  it('resolves first if the target does', async () => {
    const { scene } = use();
    const request = await completed();
    await again({}, planned('shop', 'resolve'));
    expect(await scene.task(request, 'shop')).toMatchObject({ phase: 'resolve', state: 'waiting' });
    await scene.work('shop', (taskNo) => ({ taskNo, outcome: 'resolved' }));
    await erase();
    expect(await scene.task(request, 'shop')).toMatchObject({ run: 2, state: 'erased' });
  });

  it('asks an operator again if one confirmed or retained the task', async () => {
    const { under, scene, clock } = use();
    const by = { actor: BY.actor, now: clock.now };
    const request = await scene.started([planned('shop'), plannedHeld('paper')]);
    await under.operator.confirm((await scene.task(request, 'paper')).taskNo, 'done', by);
    const why = { reason: 'a dispute', legalBasis: 'Art. 17(3)(e)' };
    await under.operator.retain((await scene.task(request, 'shop')).taskNo, why, by);
    expect(await scene.statusOf(request)).toBe('completed');

    await again();
    await again({ target: 'paper' }, plannedHeld('paper'));
    expect(await scene.task(request, 'shop')).toMatchObject({
      run: 2,
      state: 'held',
      reason: 'retained_before',
    });
    expect(await scene.task(request, 'paper')).toMatchObject({
      run: 2,
      state: 'held',
      reason: 'manual',
    });
    await again({ target: 'cabinet' }, plannedHeld('cabinet'));
    expect(await scene.task(request, 'cabinet')).toMatchObject({ run: 1, state: 'held' });
  });

  it('shows a run that is stuck, with its own deadline', async () => {
    const { under, scene, clock } = use();
    const request = await completed();
    clock.now += 40 * DAY;
    const asked = clock.now;
    await again();
    await scene.work('shop', (taskNo) => heldOutcome(taskNo, 'over_cap', 9));
    const [line] = await under.tasks.attention({
      now: clock.now,
      cancellationWindowMs: 0,
      patientTargets: [],
      limit: 10,
    });
    expect(line).toMatchObject({
      subjectRequestId: request.subjectRequestId,
      receivedTime: asked,
      reason: 'over_cap',
    });
  });

  it('can be retried like any other', async () => {
    const { under, scene, clock } = use();
    const request = await completed();
    await again();
    const failed = { outcome: 'failed', code: 'lock_timeout', detail: '', dueTime: START + DAY };
    await scene.work('shop', (taskNo) => ({ taskNo, ...failed, outcome: 'failed' }));
    expect(await under.operator.retry(request, { actor: BY.actor, now: clock.now })).toBe(1);
    await erase();
    await expect(under.operator.retry(request, BY)).rejects.toThrow(/completed/);
  });

  it('also erases again for a request in progress, which is not completed before', async () => {
    const { under, scene, clock } = use();
    const request = await scene.started([planned('shop'), plannedHeld('paper')]);
    await erase();
    expect(await again()).toBe(1);
    const by = { actor: BY.actor, now: clock.now };
    await under.operator.confirm((await scene.task(request, 'paper')).taskNo, 'done', by);
    expect(await scene.statusOf(request)).toBe('in_progress');
    await erase();
    expect(await scene.statusOf(request)).toBe('completed');
    expect(await under.forgetting.anyToShred(clock.now)).toBe(true);
  });
}
