import { describe, expect, it } from 'vitest';
import { Fenced, type LeaseRequest } from '../../../src/domain/task/fulfilment-ports.ts';
import { freeLostTasks, leaseBatch } from '../../../src/store/postgres/lease-batch.ts';
import { renewLease } from '../../../src/store/shared/tasks/fulfilment-store.ts';
import { aTransaction, BY, erasedOutcome, planned } from '../../contract/fulfilment/under-test.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { testMacs } from '../../helpers/stores/row-macs.ts';
import { usePostgres } from './use-postgres.ts';

describe.skipIf(!(await hasPostgres()))('leases of several nodes', () => {
  const use = usePostgres();

  const asked = (max: number): LeaseRequest => {
    const { now } = use().clock;
    return { target: 'crm', max, worker: 'w', now, leaseUntil: now + 30_000 };
  };

  it('take different tasks, and neither waits for the other', async () => {
    const { under, scene } = use();
    for (let n = 0; n < 6; n++) await scene.started([planned('crm')]);
    await under.database.transaction(async (sql) => {
      const first = await leaseBatch(sql, asked(4), testMacs());
      const second = await under.second.leaseBatch(asked(4));
      expect(second?.tasks).toHaveLength(2);
      const both = [first, second].flatMap((batch) => batch?.tasks ?? []);
      expect(new Set(both.map(({ taskNo }) => taskNo)).size).toBe(6);
      expect(await under.second.leaseBatch(asked(4))).toBeUndefined();
    });
  });

  it('give every task to exactly one of many workers that lease at once', async () => {
    const { under, scene } = use();
    const all = 60;
    await scene.startedMany(all, [planned('crm')]);
    const taken: number[] = [];
    const work = async (store: typeof under.store) => {
      for (;;) {
        const batch = await store.leaseBatch(asked(2));
        if (batch === undefined) return;
        taken.push(...batch.tasks.map(({ taskNo }) => taskNo));
      }
    };
    const { store, second } = under;
    await Promise.all([store, second, store, second, store, second].map(work));
    // Whoever finds everything in others' hands goes; what those gave back is due as before.
    await work(store);
    expect(taken).toHaveLength(all);
    expect(new Set(taken).size).toBe(all);
  });

  it('let exactly one worker take over a batch whose worker is gone', async () => {
    const { under, scene, clock } = use();
    await scene.started([planned('crm')]);
    const batch = await scene.lease('crm');
    for (let attempt = 2; attempt < 8; attempt++) {
      clock.now += 30_001;
      const { store, second } = under;
      const taken = await Promise.all(
        [store, second, store, second, store, second].map((one) => one.leaseBatch(asked(5))),
      );
      expect(taken.filter((one) => one !== undefined)).toMatchObject([
        { batchNo: batch.batchNo, attempt, tasks: [{ attempts: attempt }] },
      ]);
    }
  });

  it('are not taken over from a worker that writes at this moment, however late', async () => {
    const { under, scene, clock } = use();
    await scene.started([planned('crm')]);
    const batch = await scene.lease('crm');
    clock.now += 31_000;
    await under.database.transaction(async (sql) => {
      expect(await renewLease(sql, batch, 0)).toBe(true);
      expect(await under.second.leaseBatch(asked(5))).toBeUndefined();
    });
    expect(await under.second.leaseBatch(asked(5))).toMatchObject({ attempt: 2 });
  });

  it('refuse a late worker whose batch is being taken over, once that is done', async () => {
    const { under, scene, clock, whileOpen } = use();
    const request = await scene.started([planned('crm')]);
    const late = await scene.lease('crm', 5, under.second);
    clock.now += 31_000;
    const outcomes = late.tasks.map(({ taskNo }) => erasedOutcome(taskNo));
    const written = whileOpen(
      (sql) => leaseBatch(sql, asked(5), testMacs()),
      () => under.second.recordOutcomes(late, outcomes, [], clock.now),
    );
    await expect(written).rejects.toThrow(Fenced);
    expect(await scene.task(request, 'crm')).toMatchObject({ state: 'running', attempts: 2 });
  });

  it('say so to a worker that slept, before it erases anything', async () => {
    const { under, scene, clock } = use();
    await scene.started([planned('crm')]);
    const late = await scene.lease('crm');
    clock.now += 31_000;
    await scene.lease('crm', 5, under.second);
    await expect(
      under.store.recordTransaction(
        late,
        aTransaction({ reservations: [], maxRowsPerDay: null }),
        0,
        clock.now,
      ),
    ).rejects.toThrow(Fenced);
  });

  it('free tasks that lost their batch on one node only, and none that was leased since', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('crm'), planned('shop')]);
    await scene.lease('crm');
    const alive = await scene.lease('shop');
    await under.database.run(`DELETE FROM @batches WHERE target = 'crm'`);
    await under.database.transaction(async (sql) => {
      await freeLostTasks(sql);
      // Another node that begins at the same time passes it by.
      await under.second.endAllLeases();
    });
    expect(await scene.task(request, 'crm')).toMatchObject({ state: 'waiting' });
    const taken = await scene.lease('crm');
    await Promise.all([under.store.endAllLeases(), under.second.endAllLeases()]);
    for (const batch of [taken, alive]) {
      expect(await under.store.renewLease(batch, 0)).toBe(true);
    }
    expect(await scene.task(request, 'crm')).toMatchObject({ state: 'running' });
  });

  it('are not given for targets that were paused before, by anybody', async () => {
    const { under, scene } = use();
    await scene.started([planned('crm')]);
    await under.pauses.pause('crm', BY);
    expect(await under.second.leaseBatch(asked(5))).toBeUndefined();
    await under.pauses.resume('crm', BY);
    const batch = await under.second.leaseBatch(asked(5));
    await Promise.all([under.pauses.pause('crm', BY), under.pauses.pause('crm', BY)]).then(
      (answers) => expect(answers.sort()).toEqual([false, true]),
    );
    if (batch === undefined) throw new Error('there was nothing to do');
    expect(
      (
        await under.second.recordTransaction(
          batch,
          aTransaction({ reservations: [], maxRowsPerDay: null }),
          0,
          BY.now,
        )
      ).paused,
    ).toBe(true);
    expect(
      (
        await under.second.recordTransaction(
          batch,
          aTransaction({ reservations: [], maxRowsPerDay: 5 }),
          0,
          BY.now,
        )
      ).paused,
    ).toBe(true);
  });
});
