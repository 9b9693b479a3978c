import { expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { Fenced } from '../../../src/domain/task/fulfilment-ports.ts';
import type { Tables } from '../../../src/domain/task/task.ts';
import {
  ACME,
  anIntent,
  aTransaction,
  erasedOutcome,
  GLOBEX,
  HOUR,
  intendedRows,
  planned,
} from './under-test.ts';
import type { UseStore } from './use-store.ts';

export function casesOfLeasing(use: UseStore): void {
  it('leases at most as many tasks as requested, the longest due first', async () => {
    const { scene, clock } = use();
    const first = await scene.started([planned('crm')]);
    clock.now += 1000;
    const second = await scene.started([planned('crm')]);
    clock.now += 1000;
    const third = await scene.started([planned('crm')]);
    const ids = (await scene.lease('crm', 2)).tasks.map((task) => task.subjectRequestId);
    expect(ids).toEqual([first.subjectRequestId, second.subjectRequestId]);
    const rest = await scene.lease('crm', 2);
    expect(rest.tasks).toMatchObject([{ subjectRequestId: third.subjectRequestId, attempts: 1 }]);
  });

  it('takes only due tasks of this target, and finds nothing elsewhere', async () => {
    const { scene, under, clock } = use();
    const request = await scene.started([planned('crm'), planned('shop')]);
    const asked = { max: 9, worker: 'w', now: clock.now, leaseUntil: clock.now + 1 };
    expect(await under.store.leaseBatch({ ...asked, target: 'mail' })).toBeUndefined();
    const early = { ...asked, target: 'crm', now: clock.now - 1 };
    expect(await under.store.leaseBatch(early)).toBeUndefined();
    expect((await scene.lease('crm')).tasks).toHaveLength(1);
    expect(await scene.task(request, 'crm')).toMatchObject({ state: 'running', attempts: 1 });
    expect(await scene.task(request, 'shop')).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(await under.store.targetsWithWork(clock.now)).toEqual(['shop']);
  });

  it('gives every controller a share, however much another has waiting', async () => {
    const { scene, clock } = use();
    for (let n = 0; n < 30; n++) await scene.started([planned('crm')]);
    clock.now += 1000;
    const late = await scene.started([planned('crm')], { controllerId: GLOBEX });
    const first = await scene.lease('crm', 10);
    expect(first.tasks).toHaveLength(10);
    expect(first.tasks.map(({ subjectRequestId }) => subjectRequestId)).toContain(
      late.subjectRequestId,
    );
    expect((await scene.lease('crm', 10)).tasks).toHaveLength(10);
    expect((await scene.lease('crm', 100)).tasks).toHaveLength(11);
  });

  it('gives controllers turns if a batch has room for one task', async () => {
    const { scene, under } = use();
    for (const controllerId of [ACME, ACME, ACME, GLOBEX, GLOBEX])
      await scene.started([planned('crm')], { controllerId });
    const turns: string[] = [];
    for (let n = 0; n < 5; n++)
      turns.push(...(await scene.lease('crm', 1)).tasks.map(({ controllerId }) => controllerId));
    expect(turns).toEqual([ACME, GLOBEX, ACME, GLOBEX, ACME]);
    expect(await under.store.targetsWithWork(Number.MAX_SAFE_INTEGER)).toEqual(['crm']);
  });

  it('gives a task to one worker only', async () => {
    const { scene, under, clock } = use();
    for (let n = 0; n < 20; n++) await scene.started([planned('crm')]);
    const { now } = clock;
    const asked = { target: 'crm', max: 3, worker: 'w', now, leaseUntil: now + 1000 };
    const taken = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 2 ? under.store : under.second).leaseBatch(asked)),
    );
    const taskNos = taken.flatMap((batch) => batch?.tasks.map(({ taskNo }) => taskNo) ?? []);
    expect(new Set(taskNos).size).toBe(20);
    expect(taskNos).toHaveLength(20);
  });

  it('puts tasks of one phase into a batch, resolving first', async () => {
    const { scene } = use();
    const erases = await scene.started([planned('crm')]);
    const resolves = await scene.started([planned('crm', 'resolve')]);
    const first = await scene.lease('crm');
    expect(first).toMatchObject({ phase: 'resolve', attempt: 1 });
    expect(first.tasks).toMatchObject([{ subjectRequestId: resolves.subjectRequestId }]);
    const second = await scene.lease('crm');
    expect(second.phase).toBe('erase');
    expect(second.tasks).toMatchObject([{ subjectRequestId: erases.subjectRequestId }]);
  });

  it('lets another take a batch over once its lease has ended, and counts the attempt up', async () => {
    const { scene, under, clock } = use();
    await scene.started([planned('crm')]);
    const batch = await scene.lease('crm');
    await scene.started([planned('crm')]);
    clock.now += 30_000;
    expect(await under.store.targetsWithWork(clock.now)).toEqual(['crm']);
    const other = await scene.lease('crm', 1, under.second);
    expect(other.batchNo).not.toBe(batch.batchNo);
    clock.now += 1;
    const takenOver = await scene.lease('crm', 1, under.second);
    expect(takenOver).toMatchObject({ batchNo: batch.batchNo, attempt: 2, leasedTime: clock.now });
    expect(takenOver.tasks).toMatchObject([{ taskNo: batch.tasks[0]?.taskNo, attempts: 2 }]);
  });

  it('leaves a batch alone whose lease was renewed', async () => {
    const { scene, under, clock } = use();
    await scene.started([planned('crm')]);
    const batch = await scene.lease('crm');
    expect(await under.store.renewLease(batch, clock.now + HOUR)).toBe(true);
    clock.now += 31_000;
    await expect(scene.lease('crm')).rejects.toThrow('nothing to do');
    expect(await under.store.targetsWithWork(clock.now)).toEqual([]);
  });

  it('leaves a batch alone whose worker has recorded something, or renewed it late', async () => {
    const { scene, under, clock } = use();
    const request = await scene.started([planned('crm')]);
    const batch = await scene.lease('crm');
    const rows = intendedRows({ customers: [['7']] });
    const keys = under.sealKeys(request, 'crm', rows);
    const taskNo = batch.tasks[0]?.taskNo ?? 0;
    await under.store.recordTransaction(
      batch,
      aTransaction({ intents: [anIntent(taskNo, keys)] }),
      0,
      clock.now,
    );
    expect(await under.store.renewLease(batch, clock.now - HOUR)).toBe(true);
    clock.now += 29_000;
    await expect(scene.lease('crm', 1, under.second)).rejects.toThrow('nothing to do');
  });

  it('takes everything over at once when the only worker is restarted, and nothing of others', async () => {
    const { scene, under, clock } = use();
    await scene.started([planned('crm')]);
    const batch = await scene.lease('crm');
    await under.second.endAllLeases();
    if (under.leasesOfTheDead === 'end by themselves') {
      await expect(scene.lease('crm')).rejects.toThrow('nothing to do');
      clock.now += 30_001;
    }
    expect(await scene.lease('crm')).toMatchObject({ batchNo: batch.batchNo, attempt: 2 });
  });

  it('refuses a late worker everything, and writes nothing of it', async () => {
    const { scene, under, clock } = use();
    const request = await scene.started([planned('crm')]);
    const late = await scene.lease('crm');
    const taskNo = late.tasks[0]?.taskNo ?? 0;
    clock.now += 31_000;
    const current = await scene.lease('crm', 1, under.second);
    const keys = under.sealKeys(request, 'crm', intendedRows({ customers: [['7']] }));
    const intents = [anIntent(taskNo, keys)];
    const sealed = under.sealIdentities(request, [new Identity('email', 'x@example.com')]);
    const before = [await scene.tasksOf(request), await under.audit(request)];

    expect(await under.store.renewLease(late, clock.now + HOUR)).toBe(false);
    await expect(
      under.store.recordTransaction(late, aTransaction({ intents }), 0, clock.now),
    ).rejects.toThrow(Fenced);
    const outcomes = [erasedOutcome(taskNo)];
    await expect(
      under.store.recordOutcomes(late, outcomes, [{ taskNo, sealed }], clock.now),
    ).rejects.toThrow(Fenced);

    expect([await scene.tasksOf(request), await under.audit(request)]).toEqual(before);
    expect(await under.tasks.sealedIdentities(request)).toHaveLength(1);
    expect(await scene.statusOf(request)).toBe('in_progress');
    await under.second.recordOutcomes(current, outcomes, [], clock.now);
    expect(await scene.statusOf(request)).toBe('completed');
    await expect(under.store.recordOutcomes(late, outcomes, [], clock.now)).rejects.toThrow(Fenced);
    expect(await under.store.renewLease(current, clock.now)).toBe(false);
  });

  it('passes what the last attempt was about to erase to the next', async () => {
    const { scene, under, clock } = use();
    const request = await scene.started([planned('crm')]);
    const batch = await scene.lease('crm');
    expect(batch.tasks[0]?.intent).toBeNull();
    const taskNo = batch.tasks[0]?.taskNo ?? 0;
    const keys = under.sealKeys(request, 'crm', intendedRows({ customers: [['7']] }));
    const intent = anIntent(taskNo, keys, { retained: { invoices: 2 } });
    const first = clock.now;
    await under.store.recordTransaction(batch, aTransaction({ intents: [intent] }), 0, first);
    clock.now += 31_000;
    const again = await scene.lease('crm');
    const stored = again.tasks[0]?.intent;
    const { taskNo: _, ...rest } = intent;
    expect(stored).toMatchObject({ ...rest, keys: { masterKeyId: keys.masterKeyId } });
    expect(stored?.firstAttemptTime).toBe(first);
    const more = { ...intent, state: 'recorded', counts: { customers: 2 } } as const;
    await under.store.recordTransaction(again, aTransaction({ intents: [more] }), 0, clock.now);
    clock.now += 31_000;
    expect((await scene.lease('crm')).tasks[0]?.intent).toMatchObject({
      state: 'recorded',
      plan: 'place-plan',
      counts: { customers: 2 },
      firstAttemptTime: first,
    });
    expect((await scene.task(request, 'crm')).counts).toEqual({ customers: 2 });
  });

  it('passes what earlier attempts reported as erased to the next, until it reports more', async () => {
    const { scene, under, clock } = use();
    await scene.started([planned('crm')]);
    const fail = async (reported?: Tables) => {
      const batch = await scene.lease('crm');
      const taskNo = batch.tasks[0]?.taskNo ?? 0;
      const failed = { outcome: 'failed', code: 'x', detail: 'y', dueTime: clock.now } as const;
      const outcome = { taskNo, ...failed, ...(reported && { reported }) };
      await under.store.recordOutcomes(batch, [outcome], [], clock.now);
      return batch.tasks[0]?.reported;
    };
    const one: Tables = { customers: { action: 'delete', rows: 1 } };
    const two: Tables = { customers: { action: 'delete', rows: 2 } };
    expect(await fail(one)).toBeNull();
    expect(await fail()).toEqual(one);
    expect(await fail(two)).toEqual(one);
    expect(await fail()).toEqual(two);
  });

  it('records which targets are down and since when, and removes the record when they are back', async () => {
    const { under } = use();
    const circuit = { target: 'crm', code: 'refused', detail: 'no', failures: 1 };
    await under.store.openCircuit({ ...circuit, openedTime: 5, probeTime: 10 });
    const later = { ...circuit, failures: 2, probeTime: 30 };
    await under.store.openCircuit({ ...later, openedTime: 20 });
    expect(await under.second.circuit('crm')).toEqual({ ...later, openedTime: 5 });
    expect(await under.store.circuit('shop')).toBeUndefined();
    expect(await under.tasks.circuits()).toHaveLength(1);
    await under.store.closeCircuit('crm');
    expect(await under.store.circuit('crm')).toBeUndefined();
  });

  it('keeps what a transaction is about to commit until its end is recorded', async () => {
    const { scene, under, clock } = use();
    await scene.started([planned('crm')]);
    await scene.started([planned('crm')]);
    const batch = await scene.lease('crm');
    const [one, other] = batch.tasks.map(({ taskNo }) => taskNo);
    if (one === undefined || other === undefined) throw new Error('there are no tasks');
    const erased: Tables = { customers: { action: 'delete', rows: 2 } };
    const tables = new Map([one, other].map((taskNo) => [taskNo, erased]));
    const recorded = aTransaction({ name: '7 here', tables });
    await under.store.recordTransaction(batch, recorded, clock.now + HOUR, clock.now);
    const open = () => under.store.openTransactions(batch, [one, other]);
    expect(await open()).toMatchObject([{ name: '7 here', recordedTime: clock.now, tables }]);
    await under.store.endTransactions(batch, [{ taskNo: one, reported: erased }]);
    expect(await open()).toMatchObject([{ tables: new Map([[other, erased]]) }]);
    await under.store.endTransactions(batch, [{ taskNo: other, reported: null }]);
    expect(await open()).toEqual([]);
    clock.now += 2 * HOUR;
    const { tasks } = await scene.lease('crm');
    expect(tasks.map(({ reported }) => reported)).toEqual([erased, null]);
  });

  it('records no transaction of a worker whose batch another has taken over', async () => {
    const { scene, under, clock } = use();
    await scene.started([planned('crm')]);
    const late = await scene.lease('crm');
    clock.now += HOUR;
    await scene.lease('crm');
    const recorded = aTransaction();
    await expect(
      under.store.recordTransaction(late, recorded, clock.now + HOUR, clock.now),
    ).rejects.toBeInstanceOf(Fenced);
  });
}
