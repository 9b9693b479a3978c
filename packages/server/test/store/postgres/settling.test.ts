import { describe, expect, it } from 'vitest';
import type { FulfilmentStore, LeasedBatch } from '../../../src/domain/task/fulfilment-ports.ts';
import type { TaskOutcome } from '../../../src/domain/task/task.ts';
import { recordOutcomes } from '../../../src/store/shared/tasks/record-outcomes.ts';
import {
  ACME,
  anEvidence,
  aTransaction,
  BY,
  erasedOutcome,
  planned,
  plannedHeld,
} from '../../contract/fulfilment/under-test.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { testMacs } from '../../helpers/stores/row-macs.ts';
import { usePostgres } from './use-postgres.ts';

const WHY = { reason: 'an open lawsuit', legalBasis: 'Art. 17(3)(e) GDPR' };

describe.skipIf(!(await hasPostgres()))('ends of tasks at several nodes', () => {
  const use = usePostgres();

  const record = (store: FulfilmentStore, batch: LeasedBatch, outcomeOf = erasedOutcome) => {
    const outcomes = batch.tasks.map(({ taskNo }) => outcomeOf(taskNo));
    return store.recordOutcomes(batch, outcomes, [], use().clock.now);
  };

  async function sumOf(what: string, whose: string): Promise<number> {
    const row = await use().under.database.get<{ count: number }>(
      'SELECT count FROM @daily_counts WHERE day = -1 AND what = $1 AND whose = $2',
      [what, whose],
    );
    return row?.count ?? 0;
  }

  it('complete each request once, even if its last two tasks end at the same time', async () => {
    const { under, scene, count } = use();
    const all = 100;
    await scene.startedMany(all, [planned('crm'), planned('shop')]);
    const batches: LeasedBatch[] = [];
    for (const target of ['crm', 'shop', 'crm', 'shop', 'crm', 'shop', 'crm', 'shop']) {
      batches.push(await scene.lease(target, 25));
    }
    await Promise.all(batches.map((batch, n) => record(n % 2 ? under.store : under.second, batch)));
    expect(await count(`@requests WHERE status = 'completed'`)).toBe(all);
    expect(await count(`@new_audit_rows WHERE action = 'request.completed'`)).toBe(all);
    expect(await count('@batches')).toBe(0);
    expect(await sumOf('completed', ACME)).toBe(all);
    for (const target of ['crm', 'shop']) expect(await sumOf('tasks', target)).toBe(all);
  });

  it('wait for each other if they belong to one request: the second sees the first', async () => {
    const { under, scene, clock, whileOpen } = use();
    const request = await scene.started([planned('crm'), planned('shop')]);
    const [crm, shop] = [await scene.lease('crm'), await scene.lease('shop')];
    const outcomes = crm.tasks.map(({ taskNo }) => erasedOutcome(taskNo));
    await whileOpen(
      (sql) => recordOutcomes(sql, crm, outcomes, [], clock.now),
      () => record(under.second, shop),
    );
    expect(await scene.statusOf(request)).toBe('completed');
    const actions = (await under.audit(request)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'request.completed')).toHaveLength(1);
  });

  it('let all targets erase, whichever looks up last', async () => {
    const { under, scene, count } = use();
    const all = 40;
    const tasks = [planned('crm', 'resolve'), planned('shop', 'resolve'), planned('mail')];
    await scene.startedMany(all, tasks);
    const resolved = (taskNo: number): TaskOutcome => ({ taskNo, outcome: 'resolved' });
    const [crm, shop] = [await scene.lease('crm'), await scene.lease('shop')];
    await Promise.all([record(under.store, crm, resolved), record(under.second, shop, resolved)]);
    expect(await count('@tasks WHERE due_time IS NULL')).toBe(0);
  });

  it('complete a request once while an operator ends the other task', async () => {
    const { under, scene, count } = use();
    const requests = await scene.startedMany(20, [planned('crm'), plannedHeld('paper')]);
    const batch = await scene.lease('crm', 100, under.second);
    const taskNos = await Promise.all(
      requests.map(async (request) => (await scene.task(request, 'paper')).taskNo),
    );
    await Promise.all([
      record(under.second, batch),
      ...taskNos.map((taskNo) => under.operator.confirm(taskNo, 'shredded', BY)),
    ]);
    expect(await count(`@requests WHERE status = 'completed'`)).toBe(20);
    expect(await count(`@new_audit_rows WHERE action = 'request.completed'`)).toBe(20);
  });

  it('reserve exactly what is left of a day, for batches of all nodes together', async () => {
    const { under, scene, clock } = use();
    await scene.startedMany(40, [planned('crm')]);
    const batches: LeasedBatch[] = [];
    for (let n = 0; n < 8; n++) batches.push(await scene.lease('crm', 5));
    const ask = (batch: LeasedBatch, n: number) => {
      const reservations = batch.tasks.map(({ taskNo }) => ({
        taskNo,
        rows: 2,
        isReleased: false,
      }));
      return (n % 2 ? under.store : under.second).recordTransaction(
        batch,
        aTransaction({ reservations, maxRowsPerDay: 33 }),
        0,
        clock.now,
      );
    };
    const first = await Promise.all(batches.map(ask));
    const putOff = (answers: typeof first) =>
      answers.reduce((sum, { tomorrow }) => sum + tomorrow.size, 0);
    expect(putOff(first)).toBe(40 - 16);
    expect(await sumOf('rows', 'crm')).toBe(32);
    // Who asks again has what it has.
    const again = await Promise.all(batches.map(ask));
    expect(again.map(({ tomorrow }) => [...tomorrow])).toEqual(
      first.map(({ tomorrow }) => [...tomorrow]),
    );
    expect(await sumOf('rows', 'crm')).toBe(32);
    // In the end each had one row: what was reserved and not used is given back.
    await Promise.all(batches.map((batch) => record(under.store, batch)));
    expect(await sumOf('rows', 'crm')).toBe(40);
  });

  it('count a request that was found nowhere, and none that one target had', async () => {
    const { scene } = use();
    const both = [planned('crm'), planned('shop')];
    for (const [crm, shop] of [
      ['not_found', 'not_found'],
      ['not_found', 'skipped'],
      ['erased', 'not_found'],
      ['not_found', 'erased'],
      ['not_found', 'already_erased'],
    ] as const) {
      await scene.started(both);
      await scene.work('crm', (taskNo) => erasedOutcome(taskNo, crm));
      await scene.work('shop', (taskNo) => erasedOutcome(taskNo, shop));
    }
    expect([await sumOf('completed', ACME), await sumOf('nowhere', ACME)]).toEqual([5, 1]);
  });

  it('are an operator’s or a worker’s: the first to take the task decides', async () => {
    const { under, scene, whileOpen, clock } = use();
    const { leaseBatch } = await import('../../../src/store/postgres/lease-batch.ts');
    const { retain } = await import('../../../src/store/shared/tasks/operate-tasks.ts');
    const request = await scene.started([planned('crm')]);
    const { taskNo } = await scene.task(request, 'crm');
    const { now } = clock;
    const leaseRequest = { target: 'crm', max: 5, worker: 'w', now, leaseUntil: now + 30_000 };
    const refused = whileOpen(
      (sql) => leaseBatch(sql, leaseRequest, testMacs()),
      () => under.operator.retain(taskNo, WHY, BY),
    );
    await expect(refused).rejects.toThrow(`task ${taskNo} is running; only held or failed`);

    const other = await scene.started([planned('shop')]);
    const task = await scene.task(other, 'shop');
    await under.database.transaction(async (sql) => {
      await retain(sql, task.taskNo, WHY, BY);
      expect(await under.second.leaseBatch({ ...leaseRequest, target: 'shop' })).toBeUndefined();
    });
    expect(await scene.statusOf(other)).toBe('completed');
  });

  it('are decided by one operator if two decide at once', async () => {
    const { under, scene } = use();
    const request = await scene.started([plannedHeld('paper')]);
    const { taskNo } = await scene.task(request, 'paper');
    const answers = await Promise.allSettled([
      under.operator.confirm(taskNo, 'shredded', BY),
      under.operator.retain(taskNo, WHY, BY),
      under.operator.confirm(taskNo, 'shredded', BY),
    ]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const actions = (await under.audit(request)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'request.completed')).toHaveLength(1);
    expect(actions).toHaveLength(3);
  });

  it('keep what a target reported, whatever characters it has', async () => {
    const { under, scene, clock } = use();
    const odd = 'a\0b\ud800c\\u0000 \\\0';
    const kept = 'a\ufffdb\ufffdc\\u0000 \\\ufffd';
    const failed = await scene.started([planned('crm')]);
    await scene.work('crm', (taskNo) => ({
      taskNo,
      outcome: 'failed',
      code: 'x',
      detail: odd,
      dueTime: clock.now,
    }));
    expect((await scene.task(failed, 'crm')).detail).toBe(kept);
    const evidence = { ...anEvidence(), tables: { [odd]: { action: 'delete', rows: 1 } } } as const;
    await scene.work('crm', (taskNo) => ({ taskNo, outcome: 'erased', evidence }));
    expect(await scene.statusOf(failed)).toBe('completed');
    expect(Object.keys((await scene.task(failed, 'crm')).evidence?.tables ?? {})).toEqual([kept]);
    await under.store.openCircuit({
      target: 'crm',
      code: 'x',
      detail: odd,
      failures: 1,
      openedTime: 1,
      probeTime: 1,
    });
    expect((await under.store.circuit('crm'))?.detail).toBe(kept);
  });
});
