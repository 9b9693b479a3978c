// The job queues that all nodes share: pg-boss, in a schema of its own. A job says which target may have work, never
// what the work is: no job is worth keeping, and a node that finds work without a job enqueues one. So if pg-boss's
// tables are missing, its schema is created again, empty.
//
// Statements and short transactions only, no session state: a connection pooler may be in between.
import pg from 'pg';
import { PgBoss } from 'pg-boss';

export interface JobBoardOptions {
  readonly connection: Pick<pg.PoolConfig, 'connectionString' | 'ssl'>;
  /** The store's schema. The schema of the queues is named after it. */
  readonly schema: string;
  /** `application_name` of our connections. */
  readonly name: string;
  /** Seconds without a heartbeat after which a job is free again; a heartbeat is sent every third of it. */
  readonly jobHeartbeat?: number;
}

export type QueueName = 'schedules' | 'work';

export interface NewJob {
  /** Across all nodes there is at most one job with this key, queued or active. */
  readonly key: string;
  readonly data: object;
  /** One a second, however many nodes enqueue it. */
  readonly isThrottled?: boolean;
  readonly afterSeconds?: number;
  /** A node that cannot do the jobs of a group leaves them to others. */
  readonly group?: string;
  readonly priority?: number;
}

export interface TakenJob<T> {
  readonly id: string;
  /** With the id, the claim of the node that took the job: valid until another node takes it. */
  readonly retryCount: number;
  readonly data: T;
}

type Claim = Omit<TakenJob<unknown>, 'data'>;

export interface JobBoard {
  /** How often the node that has taken a job must send a heartbeat. */
  readonly heartbeatMs: number;
  /** Enqueues. Jobs that exist already are left unchanged. */
  post(queue: QueueName, jobs: readonly NewJob[]): Promise<void>;
  /** Highest priority first, then oldest. */
  take<T>(
    queue: QueueName,
    most: number,
    exceptGroups?: ReadonlySet<string>,
  ): Promise<TakenJob<T>[]>;
  /** Sends a heartbeat. Answers the ids of the jobs that are still ours. */
  keep(queue: QueueName, jobs: readonly Claim[]): Promise<ReadonlySet<string>>;
  finish(queue: QueueName, job: Claim): Promise<void>;
  close(): Promise<void>;
}

const JOB_HEARTBEAT_SECONDS = 15;
const CONNECTIONS = 2;
const CONNECT_MS = 5000;
const STATEMENT_MS = 30_000;
const QUEUE_NAMES: readonly QueueName[] = ['schedules', 'work'];
/** The tables may have been emptied, and a job for a queue that does not exist is lost. */
const CREATE_QUEUES_EVERY_MS = 30_000;
/** The interval of pg-boss's features that we do not use. */
const RARELY_SECONDS = 86_400;

/** Missing table, schema, function, type: whichever is noticed first. */
const GONE_CODES = new Set(['42P01', '3F000', '42883', '42704']);
const UNIQUE_VIOLATION = '23505';
const TABLES = ['version', 'queue', 'job', 'job_common', 'job_dependency'];
const FUNCTIONS = ['create_queue', 'job_now'];

export function createJobBoard(
  options: JobBoardOptions,
  onTrouble: (error: unknown) => void,
): JobBoard {
  const { jobHeartbeat = JOB_HEARTBEAT_SECONDS } = options;
  const schema = `${options.schema}_queue`;
  const pool = new pg.Pool({
    ...options.connection,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: options.name,
    keepAlive: true,
    // A connection that died silently would otherwise keep its statement, and us, for good.
    query_timeout: STATEMENT_MS,
  });
  pool.on('error', () => undefined);
  let opened: Promise<PgBoss> | undefined;
  let resetting: Promise<void> | undefined;
  let queuesCreatedAt = Number.NEGATIVE_INFINITY;

  function open(): Promise<PgBoss> {
    opened ??= (resetting ?? Promise.resolve())
      .then(start)
      .catch((error: unknown) => {
        // Of several nodes that create the schema at once, one succeeds; the others may not see that in time.
        if (codeOf(error) === UNIQUE_VIOLATION) return start();
        throw error;
      })
      .catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
    return opened;
  }

  async function start(): Promise<PgBoss> {
    const every = Math.max(1, Math.floor(jobHeartbeat / 3));
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
    boss.on('error', (error) => {
      if (!isGone(error)) onTrouble(error);
    });
    try {
      await boss.start();
      await createQueues(boss);
    } catch (error) {
      await end(boss);
      throw error;
    }
    return boss;
  }

  async function createQueues(boss: PgBoss): Promise<void> {
    for (const queue of QUEUE_NAMES) {
      await boss.createQueue(queue, {
        policy: 'exclusive',
        // The next sweep enqueues a new job for work that is left: a failed job is not retried.
        retryLimit: 0,
        retentionSeconds: 3600,
        deleteAfterSeconds: 30,
        // A job stays active as long as it gets heartbeats.
        expireInSeconds: 86_400,
      });
    }
    queuesCreatedAt = performance.now();
  }

  async function on<T>(work: (boss: PgBoss) => Promise<T>): Promise<T> {
    const used = open();
    try {
      return await work(await used);
    } catch (error) {
      if (!isGone(error)) throw error;
      onTrouble(error);
      await reset(used);
      return await work(await open());
    }
  }

  /** Several callers may find the tables missing at once. */
  async function reset(broken: Promise<PgBoss>): Promise<void> {
    if (opened !== undefined && opened !== broken) return;
    opened = undefined;
    resetting ??= dropBroken(broken).finally(() => {
      resetting = undefined;
    });
    await resetting;
  }

  async function dropBroken(broken: Promise<PgBoss>): Promise<void> {
    const boss = await broken.catch(() => undefined);
    if (boss !== undefined) await end(boss);
    await pool.query(dropPartialSchema(schema));
  }

  return {
    heartbeatMs: (jobHeartbeat * 1000) / 3,
    post: (queue, jobs) =>
      on(async (boss) => {
        if (performance.now() - queuesCreatedAt > CREATE_QUEUES_EVERY_MS) await createQueues(boss);
        await boss.insert(
          queue,
          jobs.map(({ key, data, isThrottled, afterSeconds, group, priority = 0 }) => ({
            singletonKey: key,
            data,
            priority,
            heartbeatSeconds: jobHeartbeat,
            ...(isThrottled && { singletonSeconds: 1 }),
            ...(afterSeconds !== undefined && { startAfter: afterSeconds }),
            ...(group !== undefined && { group: { id: group } }),
          })),
        );
      }),
    take: (queue, most, exceptGroups = new Set()) =>
      on((boss) => boss.fetch(queue, { batchSize: most, ignoreGroups: [...exceptGroups] })),
    keep: (queue, jobs) =>
      on(async (boss) => {
        const claims = jobs.map(({ id, retryCount }) => ({ id, retryCount }));
        const answer: { settled?: readonly string[] } = await boss.touch(queue, claims);
        return new Set(answer.settled ?? claims.map(({ id }) => id));
      }),
    finish: (queue, { id, retryCount }) =>
      on(async (boss) => {
        // A throttled job has to stay until its second is over.
        if (queue === 'schedules') await boss.complete(queue, { id, retryCount });
        else await boss.deleteJob(queue, { id, retryCount });
      }),
    async close() {
      const last = await opened?.catch(() => undefined);
      if (last !== undefined) await end(last);
      await pool.end();
    },
  };
}

async function end(boss: PgBoss): Promise<void> {
  await boss.stop({ graceful: false, close: false }).catch(() => undefined);
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

const isGone = (error: unknown) => GONE_CODES.has(codeOf(error));

/** A partial schema cannot be repaired, so it is dropped; a complete one, just created by another node, stays. */
function dropPartialSchema(schema: string): string {
  const name = pg.escapeLiteral(schema);
  const listed = (names: readonly string[]) => names.map(pg.escapeLiteral).join(', ');
  return `
    DO $$ BEGIN
      IF (SELECT count(*) FROM pg_catalog.pg_tables
          WHERE schemaname = ${name} AND tablename IN (${listed(TABLES)})) < ${TABLES.length}
        OR (SELECT count(*) FROM pg_catalog.pg_proc
            WHERE pronamespace = to_regnamespace(quote_ident(${name}))
              AND proname IN (${listed(FUNCTIONS)})) < ${FUNCTIONS.length}
      THEN
        EXECUTE format('DROP SCHEMA IF EXISTS %I CASCADE', ${name});
      END IF;
    END $$
  `;
}
