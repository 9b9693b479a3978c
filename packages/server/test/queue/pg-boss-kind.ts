// Queues on the run's PostgreSQL server, all of one kind in the same schema.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { PgBossConnectionOptions } from '../../src/queue/connect-pg-boss.ts';
import { createManyNodesQueue, type ManyNodesOptions } from '../../src/queue/many-nodes.ts';
import { createPgBossJobs } from '../../src/queue/pg-boss-jobs.ts';
import { atEndOfFile } from '../helpers/at-end-of-file.ts';
import { borrowServer } from '../helpers/databases/borrow-server.ts';
import type { OpenQueueKind, QueueKind } from './real-queue-world.ts';

const DEADLOCK = '40P01';

type KindOptions = PgBossConnectionOptions & Omit<ManyNodesOptions, 'openJobs'>;

export interface PgBossKind extends QueueKind {
  readonly options: PgBossConnectionOptions;
  /** Where pg-boss is. */
  readonly schema: string;
  with(changes: Partial<KindOptions>): Pick<QueueKind, 'create'>;
  query(sql: string): Promise<Record<string, unknown>[]>;
}

export async function openPgBossKind(
  changes: Partial<PgBossConnectionOptions> = {},
): Promise<PgBossKind> {
  const server = await borrowServer('postgres');
  if (server === undefined) throw new Error('there is no PostgreSQL; skip with hasPostgres()');
  const name = `queue_${randomBytes(6).toString('hex')}`;
  const url = new URL('postgres', server).href;
  const options = { connection: { connectionString: url }, schema: name, name, ...changes };
  const client = new pg.Client(url);
  await client.connect();
  const schema = `${name}_queue`;
  const kindWith = (more: Partial<KindOptions>): Pick<QueueKind, 'create'> => ({
    create: (parts) =>
      createManyNodesQueue(parts, {
        openJobs: (onTrouble) => createPgBossJobs({ ...options, ...more }, onTrouble),
        concurrency: 4,
        ...more,
      }),
  });
  return {
    ...kindWith({}),
    options,
    schema,
    with: kindWith,
    query: (sql) => queryAgain(client, sql),
    async close() {
      await queryAgain(client, `DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.end();
    },
  };
}

/** One that keeps its schema for all tests of a file, which leave it whole: pg-boss takes long to make it. */
export function keepPgBossKind(): OpenQueueKind {
  let kept: Promise<PgBossKind> | undefined;
  return async () => {
    kept ??= openPgBossKind();
    const kind = await kept;
    atEndOfFile(kind.close);
    return {
      ...kind,
      async close() {
        const { schema, query } = kind;
        const [{ made } = {}] = await query(`SELECT to_regclass('${schema}.job') AS made`);
        if (made !== null) await query(`DELETE FROM ${schema}.job`);
      },
    };
  };
}

/** What locks whole tables comes into the way of pg-boss' own upkeep. */
async function queryAgain(client: pg.Client, sql: string): Promise<Record<string, unknown>[]> {
  for (;;) {
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK) throw error;
    }
  }
}
