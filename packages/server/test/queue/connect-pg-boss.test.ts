import { getRollbackPlans, type JobInsert } from 'pg-boss';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectPgBoss, type PgBossConnection } from '../../src/queue/connect-pg-boss.ts';
import { insertOf } from '../../src/queue/pg-boss-jobs.ts';
import { QueueIncomplete } from '../../src/queue/queue.ts';
import { type Slot, slotJob } from '../../src/queue/slot-jobs.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { openPgBossKind, type PgBossKind } from './pg-boss-kind.ts';

const CRM = { target: 'crm', lane: 0 };
const SHOP = { target: 'shop', lane: 0 };
const jobOf = (slot: Slot): JobInsert => insertOf(slotJob(slot, 60), 1);

const enqueue = (one: PgBossConnection, ...jobs: JobInsert[]) =>
  one.use((boss) => boss.insert('work', jobs));
const fetch = (one: PgBossConnection, batchSize: number, ignoreGroups: string[] = []) =>
  one.use((boss) => boss.fetch('work', { batchSize, ignoreGroups }));

describe.skipIf(!(await hasPostgres()))('a connection to pg-boss', () => {
  let kind: PgBossKind;
  let trouble: unknown[];
  let connections: [PgBossConnection, PgBossConnection];

  const connect = (changes = {}) =>
    connectPgBoss({ ...kind.options, ...changes }, (error) => trouble.push(error));

  beforeEach(async () => {
    kind = await openPgBossKind({ jobHeartbeat: 1 });
    trouble = [];
    connections = [connect(), connect()];
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const one of connections) await one.close();
    await kind.close();
  });

  it('creates the schema when several nodes start at once', async () => {
    await Promise.all(connections.map((one) => enqueue(one, jobOf(CRM))));
    expect(await fetch(connections[0], 5)).toHaveLength(1);
    expect(trouble).toEqual([]);
  });

  it('has the job of a slot once, queued or taken, and again when it is finished', async () => {
    const [one, other] = connections;
    await enqueue(one, jobOf(CRM), jobOf(SHOP));
    await enqueue(other, jobOf(SHOP), jobOf(CRM));
    const [first] = await fetch(one, 1);
    if (first === undefined) throw new Error('there was no job');
    expect(first.data).toEqual(CRM);
    const rest = await fetch(other, 5);
    expect(rest.map(({ data }) => data)).toEqual([SHOP]);
    await enqueue(other, jobOf(CRM));
    expect(await fetch(other, 5)).toEqual([]);
    await one.use((boss) => boss.deleteJob('work', first));
    await enqueue(other, jobOf(CRM));
    expect(await fetch(other, 5)).toHaveLength(1);
  });

  it('frees a job without heartbeats, and ignores what its former node says about it', async () => {
    const [one, other] = connections;
    await enqueue(one, jobOf(CRM));
    const [lost] = await fetch(one, 1);
    if (lost === undefined) throw new Error('there was no job');
    await one.use((boss) => boss.touch('work', lost));
    const [taken] = await vi.waitFor(
      async () => {
        await enqueue(other, jobOf(CRM));
        const found = await fetch(other, 1);
        expect(found).toHaveLength(1);
        return found;
      },
      { timeout: 15_000, interval: 100 },
    );
    await one.use((boss) => boss.touch('work', lost));
    await one.use((boss) => boss.deleteJob('work', lost));
    const found = await one.use((boss) => boss.findJobs('work', { id: taken?.id ?? '' }));
    expect(found).toMatchObject([{ state: 'active' }]);
  });

  it('hands out first slots before second ones, and no job of a group that is left out', async () => {
    const [one] = connections;
    const second = jobOf({ target: 'crm', lane: 1 });
    await enqueue(one, second, jobOf(CRM), jobOf(SHOP));
    const next = async (...except: string[]) => (await fetch(one, 1, except))[0]?.data;
    expect(await next('crm', 'mail')).toEqual(SHOP);
    expect(await next('crm')).toBeUndefined();
    expect(await next()).toEqual(CRM);
    expect(await next()).toEqual(second.data);
  });

  it('keeps the job of a removed target back for its time', async () => {
    const [one] = connections;
    await enqueue(one, jobOf({ target: 'crm', lane: null }), jobOf(SHOP));
    const [job] = await one.use((boss) => boss.findJobs('work', { key: 'crm removed' }));
    const wait = Number(job?.startAfter) - Number(job?.createdOn);
    expect(wait).toBeGreaterThan(59_000);
    expect((await fetch(one, 5)).map(({ data }) => data)).toEqual([SHOP]);
  });

  it('creates its queues again after somebody deleted them', async () => {
    const [one, other] = connections;
    await enqueue(one, jobOf(CRM));
    await other.use(async (boss) => {
      for (const { name } of await boss.getQueues()) await boss.deleteQueue(name);
    });
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 31_000);
    await enqueue(one, jobOf(CRM));
    expect(await fetch(one, 1)).toHaveLength(1);
  });

  it('creates its schema again after somebody dropped it', async () => {
    const [one] = connections;
    await enqueue(one, jobOf(CRM));
    await kind.query(`DROP SCHEMA ${kind.schema} CASCADE`);
    await enqueue(one, jobOf(CRM));
    expect(await fetch(one, 1)).toHaveLength(1);
    expect(trouble).not.toEqual([]);
  });

  it('migrates a schema that an earlier version of pg-boss made', async () => {
    const [one, other] = connections;
    await enqueue(one, jobOf(CRM));
    const version = await one.use((boss) => boss.schemaVersion());
    await one.close();
    await kind.query(getRollbackPlans(kind.schema));
    const [before] = await kind.query(`SELECT version FROM ${kind.schema}.version`);
    expect(before?.version).toBeLessThan(version ?? 0);
    connections[0] = connect();
    expect((await fetch(other, 1)).map(({ data }) => data)).toEqual([CRM]);
    expect(await other.use((boss) => boss.schemaVersion())).toBe(version);
    expect(trouble).toEqual([]);
  });

  it('never drops anything of an incomplete schema, and says what to do', async () => {
    await enqueue(connections[0], jobOf(CRM));
    await connections[0].close();
    await kind.query(`CREATE TABLE ${kind.schema}.mine AS SELECT 1 AS one`);
    await kind.query(`DROP TABLE ${kind.schema}.queue CASCADE`);
    connections[0] = connect();
    const refused = enqueue(connections[0], jobOf(CRM));
    await expect(refused).rejects.toThrow(QueueIncomplete);
    await expect(refused).rejects.toThrow(`DROP SCHEMA "${kind.schema}" CASCADE`);
    expect(await kind.query(`SELECT one FROM ${kind.schema}.mine`)).toEqual([{ one: 1 }]);
    await kind.query(`DROP SCHEMA ${kind.schema} CASCADE`);
    await enqueue(connections[0], jobOf(CRM));
    expect(await fetch(connections[0], 1)).toHaveLength(1);
  });

  it('is set up in a schema that exists, by a role that may not create one', async () => {
    const role = kind.options.name;
    await kind.query(`CREATE ROLE ${role} LOGIN`);
    await kind.query(`CREATE SCHEMA ${kind.schema} AUTHORIZATION ${role}`);
    const url = new URL(kind.options.connection.connectionString ?? '');
    url.username = role;
    const one = connect({ connection: { connectionString: url.href } });
    await enqueue(one, jobOf(CRM));
    expect(await fetch(one, 1)).toHaveLength(1);
    await one.close();
    await kind.query(`DROP OWNED BY ${role}`);
    await kind.query(`DROP ROLE ${role}`);
    expect(trouble).toEqual([]);
  });

  it('holds nothing of a session: a pooler may give each transaction another connection', async () => {
    await enqueue(connections[0], jobOf(CRM));
    await fetch(connections[0], 1);
    await connections[0].use((boss) => boss.supervise());
    const found = await kind.query(`
      SELECT count(*)::int AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE application_name = '${kind.options.name}' AND locktype = 'advisory' AND state = 'idle'
    `);
    expect(found).toEqual([{ count: 0 }]);
  });
});
