// Connects pg-boss, in its own schema, using only its documented API. If its schema is missing it is created; pg-boss migrates
// it. Only statements and short transactions, no session state: a connection pooler may be in between.
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { QueueName } from './jobs.ts';
import { QueueIncomplete } from './queue.ts';

export interface PgBossConnectionOptions {
  readonly connection: Pick<pg.PoolConfig, 'connectionString' | 'ssl'>;
  /** The store's schema. The schema of the queues is named after it. */
  readonly schema: string;
  /** `application_name` of our connections. */
  readonly name: string;
  /** Seconds without a heartbeat after which a job is free again; a heartbeat is sent every third of it. */
  readonly jobHeartbeat?: number;
}

export interface PgBossConnection {
  /** If pg-boss's schema or a part of it is missing, pg-boss is started again and the call is repeated. */
  use<T>(call: (boss: PgBoss) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export const JOB_HEARTBEAT_SECONDS = 15;
const CONNECTIONS = 2;
const CONNECT_MS = 5000;
const STATEMENT_MS = 30_000;
/** Interval for features of pg-boss that we do not use. */
const RARELY_SECONDS = 86_400;
/** A queue that someone deleted is created again within this time. */
const CREATE_QUEUES_EVERY_MS = 30_000;
/**
 * SQLSTATE: a schema, table, type or function is missing, or already exists, as when several nodes create the schema
 * at once. Does not include missing rights.
 */
const DIFFERS = /^(?:42(?!501)|3F000|23505)/;

export function connectPgBoss(
  options: PgBossConnectionOptions,
  onTrouble: (error: unknown) => void,
): PgBossConnection {
  const schema = `${options.schema}_queue`;
  const pool = new pg.Pool({
    ...options.connection,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: options.name,
    keepAlive: true,
    // A connection that died silently would otherwise block its statement, and us, forever.
    query_timeout: STATEMENT_MS,
  });
  pool.on('error', () => undefined);
  let opened: Promise<PgBoss> | undefined;
  let queuesCreatedAt = 0;

  function open(): Promise<PgBoss> {
    opened ??= start().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  async function start(): Promise<PgBoss> {
    const every = Math.max(1, Math.floor((options.jobHeartbeat ?? JOB_HEARTBEAT_SECONDS) / 3));
    const found = await pool.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
    const boss = new PgBoss({
      db: { executeSql: (text, values) => pool.query(text, values) },
      schema: `"${schema}"`,
      // CREATE SCHEMA IF NOT EXISTS needs the right to create one even if it exists.
      createSchema: found.rowCount === 0,
      schedule: false,
      superviseIntervalSeconds: every,
      monitorIntervalSeconds: every,
      maintenanceIntervalSeconds: 30,
      monitorVacuum: false,
      flowIntervalSeconds: RARELY_SECONDS,
    });
    boss.on('error', onTrouble);
    try {
      await boss.start();
      await createQueues(boss);
      return boss;
    } catch (error) {
      await end(boss);
      throw error;
    }
  }

  async function createQueues(boss: PgBoss): Promise<void> {
    for (const queue of ['schedules', 'work'] satisfies QueueName[]) await createQueue(boss, queue);
    queuesCreatedAt = performance.now();
  }

  /** If several callers meet the same failure, only the first ends the connection. */
  async function abandon(used: Promise<PgBoss>, error: unknown): Promise<void> {
    if (opened !== used) return;
    opened = undefined;
    onTrouble(error);
    await end(await used);
  }

  function explain(error: unknown): never {
    throw differs(error) ? new QueueIncomplete(schema, error) : error;
  }

  return {
    async use(call) {
      const used = open();
      try {
        const boss = await used;
        const age = performance.now() - queuesCreatedAt;
        if (age > CREATE_QUEUES_EVERY_MS) await createQueues(boss);
        return await call(boss);
      } catch (error) {
        if (!differs(error)) throw error;
        await abandon(used, error);
        return await open().then(call).catch(explain);
      }
    },
    async close() {
      const last = await opened?.catch(() => undefined);
      if (last !== undefined) await end(last);
      await pool.end();
    },
  };
}

function differs(error: unknown): boolean {
  return DIFFERS.test(String((error as { code?: unknown }).code));
}

/** Does not change a queue that exists. */
async function createQueue(boss: PgBoss, name: string): Promise<void> {
  await boss.createQueue(name, {
    // A job with the same key exists at most once across all nodes, queued or active.
    policy: 'exclusive',
    // The next sweep enqueues a new job for work that is left: a failed job is not retried.
    retryLimit: 0,
    retentionSeconds: 3600,
    deleteAfterSeconds: 30,
    // A job stays active as long as it gets heartbeats.
    expireInSeconds: 86_400,
  });
}

async function end(boss: PgBoss): Promise<void> {
  await boss.stop({ graceful: false, close: false }).catch(() => undefined);
}
