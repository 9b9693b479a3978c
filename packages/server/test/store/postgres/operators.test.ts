import type { SubjectRequestId } from '@unwrite/protocol';
import { describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import type { LeasedBatch } from '../../../src/domain/task/fulfilment-ports.ts';
import { leaseBatch } from '../../../src/store/postgres/lease-batch.ts';
import { identify, retry } from '../../../src/store/shared/requests/operate-requests.ts';
import { recordOutcomes } from '../../../src/store/shared/tasks/record-outcomes.ts';
import {
  ACME,
  BY,
  erasedOutcome,
  HOUR,
  planned,
  plannedHeld,
  START,
} from '../../contract/fulfilment/under-test.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { testMacs } from '../../helpers/stores/row-macs.ts';
import { usePostgres } from './use-postgres.ts';

describe.skipIf(!(await hasPostgres()))('operators beside workers of several nodes', () => {
  const use = usePostgres();

  const leaseRequest = (target: string) => {
    const { now } = use().clock;
    return { target, max: 5, worker: 'w', now, leaseUntil: now + 30_000 };
  };

  const identified = (request: RequestKey) => ({
    sealed: use().under.sealIdentities(request, [new Identity('email', 'j@example.com')]),
    digests: [Buffer.alloc(32, 9)],
  });

  it('give a task another run if a worker has just taken it without their identities', async () => {
    const { under, scene, whileOpen } = use();
    const request = await scene.started([planned('crm'), planned('shop')]);
    let seen: number | undefined;
    await whileOpen(
      async (sql) => {
        seen = (await leaseBatch(sql, leaseRequest('crm'), testMacs()))?.tasks[0]?.identities
          .length;
      },
      () => under.operator.identify(request, identified(request), BY),
    );
    expect(seen).toBe(1);
    const runs = (await scene.tasksOf(request)).map(({ target, run }) => [target, run]);
    expect(runs).toEqual([
      ['crm', 1],
      ['shop', 1],
      ['crm', 2],
    ]);
  });

  it('are passed by while they add identities, and the task is taken with them then', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('crm')]);
    await under.database.transaction(async (sql) => {
      await identify(sql, request, identified(request), BY);
      expect(await under.second.leaseBatch(leaseRequest('crm'))).toBeUndefined();
    });
    const batch = await scene.lease('crm', 5, under.second);
    expect(batch.tasks).toMatchObject([{ attempts: 1 }]);
    expect(batch.tasks[0]?.identities).toHaveLength(2);
    expect(await scene.tasksOf(request)).toHaveLength(1);
  });

  it('never lose an identity, however leases fall: each target is erased with all of them', async () => {
    const { under, scene, clock } = use();
    const targets = ['crm', 'shop', 'mail'];
    let identifiedInTime = 0;
    for (let round = 0; round < 15; round++) {
      const request = await scene.started(targets.map((target) => planned(target)));
      const known = new Map<string, number>();
      const work = async (batch: LeasedBatch | undefined) => {
        if (batch === undefined) return;
        for (const { identities } of batch.tasks) known.set(batch.target, identities.length);
        const outcomes = batch.tasks.map(({ taskNo }) => erasedOutcome(taskNo));
        await under.second.recordOutcomes(batch, outcomes, [], clock.now);
      };
      const identifying = under.operator
        .identify(request, identified(request), { ...BY, now: clock.now })
        .then(
          () => true,
          // All may be erased before it came: then it is refused, and nobody believes otherwise.
          (error: Error) => {
            expect(error.message).toContain('is completed and cannot be given identities');
            return false;
          },
        );
      const [isIdentified] = await Promise.all([
        identifying,
        ...targets.map((target) => under.second.leaseBatch(leaseRequest(target)).then(work)),
      ]);
      for (const target of await under.store.targetsWithWork(clock.now)) {
        await work(await under.store.leaseBatch(leaseRequest(target)));
      }
      const all = isIdentified ? 2 : 1;
      expect(Object.fromEntries(known)).toEqual({ crm: all, shop: all, mail: all });
      expect(await scene.statusOf(request)).toBe('completed');
      if (isIdentified) identifiedInTime++;
    }
    expect(identifiedInTime).toBeGreaterThan(0);
  });

  it('retry what is settled at the same time, and it is settled once', async () => {
    const { under, scene, whileOpen, clock } = use();
    const request = await scene.started([planned('crm')]);
    const batch = await scene.lease('crm');
    const outcomes = batch.tasks.map(({ taskNo }) => erasedOutcome(taskNo));
    const retried = whileOpen(
      (sql) => recordOutcomes(sql, batch, outcomes, [], clock.now),
      () => under.operator.retry(request, BY),
    );
    await expect(retried).rejects.toThrow('is completed and cannot be retried');
    expect(await scene.statusOf(request)).toBe('completed');
  });

  it('retry at the same time as each other and as a lease without a deadlock', async () => {
    const { under, scene, clock } = use();
    const request = await scene.started(['crm', 'shop', 'mail'].map((it) => planned(it)));
    const dueTime = clock.now + HOUR;
    for (const target of ['crm', 'shop', 'mail']) {
      await scene.work(target, (taskNo) => ({
        taskNo,
        outcome: 'failed',
        code: 'x',
        detail: 'y',
        dueTime,
      }));
    }
    clock.now += HOUR;
    const by = { ...BY, now: clock.now };
    await Promise.all([
      under.operator.retry(request, by),
      under.operator.retry(request, by),
      under.database.transaction((sql) => retry(sql, request, by)),
      ...['crm', 'shop', 'mail'].map((target) => under.second.leaseBatch(leaseRequest(target))),
    ]);
    expect(await scene.tasksOf(request)).toHaveLength(3);
  });

  it('are told that there is no request if an id is not a UUID', async () => {
    const { under } = use();
    const nobody = { controllerId: ACME, subjectRequestId: "x'\0" as SubjectRequestId };
    const none = 'there is no request';
    await expect(under.operator.askStart(nobody, BY)).rejects.toThrow(none);
    await expect(under.operator.retry(nobody, BY)).rejects.toThrow(none);
    const named = identified(nobody);
    await expect(under.operator.identify(nobody, named, BY)).rejects.toThrow(none);
    expect(await under.tasks.planOf(nobody)).toBeUndefined();
    expect(await under.tasks.sealedIdentities(nobody)).toEqual([]);
    expect(
      await under.tasks.tasks({ subjectRequestId: nobody.subjectRequestId, limit: 9 }),
    ).toEqual([]);
  });

  it('are told that it is over if a request is archived, and still see it', async () => {
    const { under, scene, clock } = use();
    const request = await scene.create();
    await scene.start(request, [planned('crm')], [Buffer.alloc(32, 7)]);
    await scene.work('crm', erasedOutcome);
    await under.forgetting.shred(clock.now, 10, clock.now);
    const { taskNo } = await scene.task(request, 'crm');
    await under.database.run(
      `WITH moved AS (DELETE FROM @requests RETURNING *)
       INSERT INTO @archived_requests SELECT * FROM moved`,
    );
    const { operator, tasks, store, forgettingOperator } = under;
    const why = { reason: 'a', legalBasis: 'b' };
    const over = [
      [() => operator.askStart(request, BY), 'is completed and cannot be started'],
      [() => operator.retry(request, BY), 'is completed and cannot be retried'],
      [() => operator.identify(request, identified(request), BY), 'cannot be given identities'],
      [() => operator.retain(taskNo, why, BY), `task ${taskNo} is erased; only`],
      [() => operator.release(taskNo, BY), `task ${taskNo} is erased; only`],
      [() => operator.confirm(taskNo, 'done', BY), `task ${taskNo} is not waiting for a person`],
    ] as const;
    for (const [ask, message] of over) await expect(ask()).rejects.toThrow(message);
    expect(await scene.tasksOf(request)).toMatchObject([{ taskNo, state: 'erased' }]);
    expect(await tasks.planOf(request)).toHaveLength(1);
    await operator.recordPreview(ACME, request, BY);
    expect((await under.audit(request)).at(-1)?.action).toBe('preview.run');
    expect(await forgettingOperator.seen(ACME, [[Buffer.alloc(32, 7)]], BY)).toMatchObject([[{}]]);

    const mine = await scene.create();
    await scene.start(mine, [planned('crm')], [Buffer.alloc(32, 7)]);
    const younger = await scene.task(mine, 'crm');
    expect(await store.erasedBefore([{ taskNo: younger.taskNo, digests: [] }])).toEqual(
      new Map([[younger.taskNo, [request.subjectRequestId]]]),
    );
    const query = { target: 'crm', since: 0, until: clock.now, controllers: null };
    expect(await forgettingOperator.countEraseAgain(query)).toEqual({
      runs: 0,
      shredded: 1,
      open: 0,
      nobody: 0,
    });
    expect(await forgettingOperator.eraseAgain(query, planned('crm'), BY)).toBe(0);
  });

  it('name somebody at the same time, and the plan knows both', async () => {
    const { under, scene } = use();
    const request = await scene.create({ identities: [] });
    await scene.start(request, [plannedHeld('manual')]);
    await Promise.all([
      under.operator.identify(request, identified(request), BY),
      under.operator.identify(request, identified(request), BY),
    ]);
    const due = await scene.due(request);
    expect(due.identities).toHaveLength(2);
  });

  it('confirm a restore, which cancels nothing again that is being leased at the same time', async () => {
    const { under, scene, whileOpen } = use();
    const request = await scene.started([planned('crm')]);
    await under.restores.declare('a test', { actor: 'system', now: BY.now });
    await under.restores.addFindings([
      { what: 'cancelled', time: START, ...request, source: 'node-1' },
    ]);
    const cancelled = await whileOpen(
      (sql) => sql.run('UPDATE @tasks SET attempts = 1'),
      () => under.restores.confirm(true, BY),
    );
    expect(cancelled).toBe(0);
    expect(await scene.statusOf(request)).toBe('in_progress');
  });
});
