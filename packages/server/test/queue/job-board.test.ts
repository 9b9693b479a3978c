import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJobBoard, type JobBoard } from '../../src/queue/job-board.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { openPgBossKind, type PgBossKind } from './pg-boss-kind.ts';

const CRM = { key: 'crm 0', data: { target: 'crm' } };
const SHOP = { key: 'shop 0', data: { target: 'shop' } };

describe.skipIf(!(await hasPostgres()))('the board of jobs', () => {
  let kind: PgBossKind;
  let trouble: unknown[];
  let boards: [JobBoard, JobBoard];

  beforeEach(async () => {
    kind = await openPgBossKind({ jobHeartbeat: 1 });
    trouble = [];
    const open = () => createJobBoard(kind.options, (error) => trouble.push(error));
    boards = [open(), open()];
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const board of boards) await board.close();
    await kind.close();
  });

  it('is put up by several nodes at once', async () => {
    await Promise.all(boards.map((board) => board.post('work', [CRM])));
    expect(await boards[0].take('work', 5)).toHaveLength(1);
    expect(trouble).toEqual([]);
  });

  it('has a job once, queued or taken, and again when it is finished', async () => {
    const [one, other] = boards;
    await one.post('work', [CRM, SHOP]);
    await other.post('work', [SHOP, CRM]);
    const [first] = await one.take('work', 1);
    expect(first?.data).toEqual(CRM.data);
    const rest = await other.take('work', 5);
    expect(rest.map(({ data }) => data)).toEqual([SHOP.data]);
    await other.post('work', [CRM]);
    expect(await other.take('work', 5)).toEqual([]);
    if (first !== undefined) await one.finish('work', first);
    await other.post('work', [CRM]);
    expect(await other.take('work', 5)).toHaveLength(1);
  });

  it('has what is throttled once a second, whoever posts it', async () => {
    const sweep = { key: 'sweep', data: {}, isThrottled: true };
    let taken = 0;
    let posts = 0;
    await vi.waitFor(
      async () => {
        for (const board of boards) {
          posts++;
          await board.post('schedules', [sweep]);
          for (const job of await board.take('schedules', 5)) {
            taken++;
            await board.finish('schedules', job);
          }
        }
        expect(taken).toBeGreaterThanOrEqual(2);
        expect(posts).toBeGreaterThan(2 * taken);
      },
      { timeout: 10_000, interval: 50 },
    );
    const [{ seconds } = {}] = await kind.query(
      `SELECT count(DISTINCT date_trunc('second', created_on))::int AS seconds
       FROM ${kind.schema}.job WHERE name = 'schedules'`,
    );
    expect(seconds).toBe(taken);
    await boards[0].post('schedules', [{ ...sweep, isThrottled: false }]);
    expect(await boards[1].take('schedules', 5)).toHaveLength(1);
  });

  it('gives a job away that nobody gave signs of life for, and tells who had it', async () => {
    const [one, other] = boards;
    await one.post('work', [CRM]);
    const [lost] = await one.take('work', 1);
    if (lost === undefined) throw new Error('there was no job');
    expect(await one.keep('work', [lost])).toEqual(new Set([lost.id]));
    const taken = await vi.waitFor(
      async () => {
        await other.post('work', [CRM]);
        const found = await other.take('work', 1);
        expect(found).toHaveLength(1);
        return found;
      },
      { timeout: 15_000, interval: 100 },
    );
    expect(await one.keep('work', [lost])).toEqual(new Set());
    await one.finish('work', lost);
    expect(await other.keep('work', taken)).toEqual(new Set(taken.map(({ id }) => id)));
  });

  it('hands out what has priority first, and nothing of groups that are left out', async () => {
    const [one] = boards;
    await one.post('work', [
      { ...CRM, group: 'crm' },
      { key: 'crm 1', data: {}, group: 'crm', priority: -1 },
      { key: 'none', data: { target: 'none' } },
      { ...SHOP, group: 'shop', priority: 1 },
    ]);
    const next = async (...except: string[]) =>
      (await one.take('work', 1, new Set(except)))[0]?.data;
    expect(await next('crm', 'mail')).toEqual(SHOP.data);
    expect(await next('crm')).toEqual({ target: 'none' });
    expect(await next('crm')).toBeUndefined();
    expect(await next()).toEqual(CRM.data);
  });

  it('keeps a job back until it is time', async () => {
    const [one] = boards;
    await one.post('work', [{ ...CRM, afterSeconds: 60 }]);
    expect(await one.take('work', 1)).toEqual([]);
    const job = `${kind.schema}.job SET start_after = start_after - interval`;
    await kind.query(`UPDATE ${job} '50 seconds'`);
    expect(await one.take('work', 1)).toEqual([]);
    await kind.query(`UPDATE ${job} '10 seconds'`);
    expect(await one.take('work', 1)).toHaveLength(1);
  });

  it('notices that somebody emptied its tables', async () => {
    const [one] = boards;
    await one.post('work', [CRM]);
    await kind.query(`TRUNCATE ${kind.schema}.queue, ${kind.schema}.job CASCADE`);
    await one.post('work', [CRM]);
    expect(await one.take('work', 1)).toEqual([]);
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 31_000);
    await one.post('work', [CRM]);
    expect(await one.take('work', 1)).toHaveLength(1);
  });

  it('is put up in a schema that is there, by a role that may not create one', async () => {
    const role = kind.options.name;
    await kind.query(`CREATE ROLE ${role} LOGIN`);
    await kind.query(`CREATE SCHEMA ${kind.schema} AUTHORIZATION ${role}`);
    const url = new URL(kind.options.connection.connectionString ?? '');
    url.username = role;
    const connection = { connectionString: url.href };
    const board = createJobBoard({ ...kind.options, connection }, (error) => trouble.push(error));
    await board.post('work', [CRM]);
    expect(await board.take('work', 1)).toHaveLength(1);
    await board.close();
    await kind.query(`DROP OWNED BY ${role}`);
    await kind.query(`DROP ROLE ${role}`);
    expect(trouble).toEqual([]);
  });

  it('holds nothing of a session: a pooler may give each transaction another connection', async () => {
    await boards[0].post('work', [CRM]);
    await boards[0].take('work', 1);
    // Its own upkeep has been at work, too.
    await vi.waitFor(
      async () => {
        const queues = await kind.query(`SELECT monitor_on FROM ${kind.schema}.queue`);
        expect(queues.every(({ monitor_on }) => monitor_on !== null)).toBe(true);
      },
      { timeout: 10_000, interval: 100 },
    );
    const found = await kind.query(`
      SELECT count(*)::int AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE application_name = '${kind.options.name}' AND locktype = 'advisory' AND state = 'idle'
    `);
    expect(found).toEqual([{ count: 0 }]);
  });
});
