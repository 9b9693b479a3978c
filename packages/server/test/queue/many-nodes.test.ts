// What holds over several nodes. A node is a queue of its own here: they share the store and the schema of pg-boss.
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { NewRequest } from '../../src/domain/request/request.ts';
import { connectPgBoss, type PgBossConnection } from '../../src/queue/connect-pg-boss.ts';
import { aRow, aTarget } from '../fulfilment/batch-world.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { openPostgresFulfilment } from '../helpers/stores/open-postgres-fulfilment.ts';
import { openPgBossKind, type PgBossKind } from './pg-boss-kind.ts';
import { openRealQueueWorld, type RealQueueWorld } from './real-queue-world.ts';

const JANE = 'jane@example.com';
const SLOT = { target: 'crm', lane: 0 };

describe.skipIf(!(await hasPostgres()))('queues of several nodes', () => {
  let kind: PgBossKind;
  let world: RealQueueWorld;
  const others: PgBossConnection[] = [];
  afterEach(async () => {
    for (const other of others.splice(0)) await other.close();
    await world.close();
  });

  const open = async (
    target: Partial<ReturnType<typeof aTarget>> = {},
    changes: Partial<PgBossKind['options']> = {},
  ) => {
    kind = await openPgBossKind(changes);
    world = await openRealQueueWorld([aTarget(target)], kind, openPostgresFulfilment);
  };
  const create = async (count: number) => {
    const requests: NewRequest[] = [];
    for (let n = 0; n < count; n++) requests.push(await world.scene.create());
    return requests;
  };
  const areCompleted = (requests: readonly NewRequest[]) =>
    world.eventually(async () => {
      for (const request of requests) {
        expect(await world.scene.statusOf(request)).toBe('completed');
      }
    });
  const stateOfJobs = async () =>
    (await kind.query(`SELECT state FROM ${kind.schema}.job WHERE name = 'work'`)).map(
      ({ state }) => state,
    );
  /** What a node that is killed leaves behind: it took something, and says nothing any more. */
  const connectOther = () => {
    const other = connectPgBoss(kind.options, () => undefined);
    others.push(other);
    return other;
  };
  const aJob = (singletonKey: string, data = {}) => ({ singletonKey, data, heartbeatSeconds: 1 });

  it('sweeps and does chores once at a time, and about once a second, over all nodes', async () => {
    await open();
    const counts = { sweep: { now: 0, max: 0, all: 0 }, chores: { now: 0, max: 0, all: 0 } };
    const count = async (what: keyof typeof counts) => {
      const one = counts[what];
      one.all++;
      one.max = Math.max(one.max, ++one.now);
      await pause(100);
      one.now--;
    };
    const startDue = async () => {
      await count('sweep');
      return { started: 0, more: false };
    };
    const chores = [{ name: 'one', isDue: async () => true, run: () => count('chores') }];
    const began = performance.now();
    for (let node = 0; node < 4; node++) world.start({ startDue, chores });
    await world.eventually(() => {
      for (const { all } of [counts.sweep, counts.chores]) expect(all).toBeGreaterThanOrEqual(3);
    });
    const seconds = (performance.now() - began) / 1000;
    for (const { max, all } of [counts.sweep, counts.chores]) {
      expect(max).toBe(1);
      // In each second that was begun, by the clock.
      expect(all).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    }
  });

  it('shares the work, does each batch once, and uses no more slots than a target has', async () => {
    await open({ batchSize: 1, concurrency: 3 });
    const tasks: number[] = [];
    const { promise: allThere, resolve: areAllThere } = Promise.withResolvers<void>();
    let now = 0;
    let max = 0;
    world.connector.tricks.preview = async (honest, subjects) => {
      tasks.push(...subjects.map(({ taskNo }) => taskNo));
      max = Math.max(max, ++now);
      if (now === 3) areAllThere();
      await allThere;
      await pause(10);
      now--;
      return honest();
    };
    const workers = new Set<string>();
    const { leaseBatch } = world.under.store;
    const store = {
      ...world.under.store,
      leaseBatch: async (asked: Parameters<typeof leaseBatch>[0]) => {
        const batch = await leaseBatch(asked);
        if (batch !== undefined) workers.add(asked.worker);
        return batch;
      },
    };
    const requests = await create(20);
    const one = kind.with({ concurrency: 1 });
    for (let node = 0; node < 4; node++) world.start({ store }, one);
    await areCompleted(requests);
    expect(tasks).toHaveLength(20);
    expect(new Set(tasks).size).toBe(20);
    expect(max).toBe(3);
    expect(workers.size).toBeGreaterThanOrEqual(3);
  });

  it('frees the jobs of a node that was killed', async () => {
    await open({}, { jobHeartbeat: 1 });
    const other = connectOther();
    await other.use(async (boss) => {
      await boss.insert('schedules', [aJob('sweep'), aJob('chores')]);
      await boss.insert('work', [aJob('crm 0', SLOT)]);
    });
    // Before they are taken: their second begins there, however long the rest takes.
    const began = performance.now();
    const take = (name: string) => other.use((boss) => boss.fetch(name, { batchSize: 5 }));
    expect(await take('schedules')).toHaveLength(2);
    expect(await take('work')).toHaveLength(1);
    const requests = await create(1);
    world.start();
    await areCompleted(requests);
    expect(performance.now() - began).toBeGreaterThan(900);
  });

  it('keeps a job for as long as it is worked on', async () => {
    await open({}, { jobHeartbeat: 2 });
    const { promise: slow, resolve: goOn } = Promise.withResolvers<void>();
    world.connector.tricks.preview = async (honest) => {
      await slow;
      return honest();
    };
    const requests = await create(1);
    world.start();
    world.start();
    await world.eventually(() => expect(world.connector.calls).toHaveLength(1));
    const job = `FROM ${kind.schema}.job WHERE name = 'work'`;
    const [before] = await kind.query(`SELECT id ${job}`);
    // Long after it would have been free again, and it has been looked for.
    await world.eventually(async () => {
      const [{ isLong } = {}] = await kind.query(
        `SELECT bool_and(monitor_on > started_on + interval '2.5 seconds') AS "isLong"
         FROM ${kind.schema}.queue, (SELECT started_on ${job}) AS job WHERE name = 'work'`,
      );
      expect(isLong).toBe(true);
    });
    expect(await kind.query(`SELECT id, state ${job}`)).toEqual([{ ...before, state: 'active' }]);
    goOn();
    await areCompleted(requests);
  });

  it('fences off what a node says after another has taken its batch over', async () => {
    await open({}, { jobHeartbeat: 1 });
    world.connector.rows = [aRow(JANE)];
    const { promise: stalled, resolve: goOn } = Promise.withResolvers<void>();
    let calls = 0;
    world.connector.tricks.erase = async (honest) => {
      calls++;
      if (calls === 1) await stalled;
      return honest();
    };
    const request = await world.erasureOf([JANE]);
    await connectOther().use((boss) => boss.insert('work', [aJob('crm 0', SLOT)]));
    // It gives no signs of life in time, neither for its batch nor for its job.
    const { store } = world.under;
    const silent: typeof store = {
      ...store,
      renewLease: async () => false,
      recordTransaction: (batch, transaction, _, now) =>
        store.recordTransaction(batch, transaction, now + 1000, now),
    };
    const stalling = world.start({ store: silent, lease: 1000 }, kind.with({ jobHeartbeat: 1000 }));
    await world.eventually(() => expect(calls).toBe(1));
    world.start();
    await areCompleted([request]);
    const evidence = await world.evidenceOf(request);
    expect(evidence).toMatchObject({ attempts: 2, tables: { customers: { rows: 1 } } });
    goOn();
    stalling.stop();
    await world.eventually(() => expect(world.said).toEqual(['trouble working on crm: Fenced']));
    expect(await world.evidenceOf(request)).toEqual(evidence);
  });

  it('continue when somebody drops their schema', async () => {
    await open();
    world.start();
    world.start();
    await areCompleted(await create(1));
    await kind.query(`DROP SCHEMA ${kind.schema} CASCADE`);
    await areCompleted(await create(2));
    expect(new Set(world.said)).toEqual(new Set(['trouble keeping the queue: 42P01']));
    // And a node that comes to it anew.
    await kind.query(`DROP SCHEMA ${kind.schema} CASCADE`);
    world.start();
    await areCompleted(await create(1));
  });

  it.each([
    ['one of its tables', ['queue']],
    ['all of its tables', undefined],
  ])(
    'names the incomplete schema when somebody drops %s, and continues after its removal',
    async (_, some) => {
      await open();
      world.start();
      await areCompleted(await create(1));
      const all = await kind.query(
        `SELECT tablename FROM pg_tables WHERE schemaname = '${kind.schema}'`,
      );
      const tables = some ?? all.map(({ tablename }) => tablename);
      const names = tables.map((table) => `${kind.schema}.${table}`);
      await kind.query(`DROP TABLE ${names.join(', ')} CASCADE`);
      const requests = await create(1);
      await world.eventually(() =>
        expect(world.said).toContain('trouble looking for work: QueueIncomplete'),
      );
      await kind.query(`DROP SCHEMA ${kind.schema} CASCADE`);
      await areCompleted(requests);
    },
  );

  it('continue when their connections break, and report it once', async () => {
    await open({}, { jobHeartbeat: 1 });
    world.start();
    await areCompleted(await create(1));
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE application_name = '${kind.options.name}'`;
    for (let times = 0; times < 10; times++) {
      await kind.query(cut);
      await pause(50);
    }
    await areCompleted(await create(1));
    expect(new Set(world.said).size).toBe(world.said.length);
  });

  it('does not treat a target that another node knows as removed', async () => {
    await open();
    const requests = await create(3);
    // It posts what it cannot do; and leaves to others what they post.
    world.start({ targets: new Map() });
    await world.eventually(async () => {
      expect(await stateOfJobs()).toEqual(['created', 'created']);
    });
    world.start();
    await areCompleted(requests);
    await areCompleted(await create(2));
  });

  it('hands tasks of a target that no node knows to a person', async () => {
    await open();
    const [request] = (await create(1)) as [NewRequest];
    world.start({ targets: new Map() }, kind.with({ removedAfter: 1 }));
    await world.eventually(async () => {
      expect(await world.scene.task(request, 'crm')).toMatchObject({
        state: 'held',
        reason: 'target_removed',
      });
    });
  });

  it('puts a slot with more to do at the end of the queue', async () => {
    await open({ batchSize: 1 });
    const requests = await create(6);
    world.connector.tricks.preview = async (honest) => {
      await pause(100);
      return honest();
    };
    world.start({}, kind.with({ turnMs: 150 }));
    await areCompleted(requests);
  });

  it('leaves little behind', async () => {
    await open();
    const queue = world.start();
    await areCompleted(await create(3));
    queue.stop();
    await world.ended();
    const left = await kind.query(
      `SELECT name, state, data FROM ${kind.schema}.job WHERE state <> 'completed'`,
    );
    expect(left).toEqual([]);
    const [{ seconds } = {}] = await kind.query(
      `SELECT max(deletion_seconds) AS seconds FROM ${kind.schema}.job`,
    );
    expect(seconds).toBe(30);
  });
});
