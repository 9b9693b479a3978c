// pg-boss, as a board that the nodes pin jobs to and take them from, in a schema of its own. A job says where
// there may be work, never what: nothing on the board is worth keeping, and whoever finds work without a job
// posts one. So where its tables are gone, the board is put up again, empty.
//
// Statements and short transactions only, nothing of a session: a pooler may stand in between.
import pg from 'pg';
import { PgBoss } from 'pg-boss';

export interface JobBoardOptions {
  readonly connection: Pick<pg.PoolConfig, 'connectionString' | 'ssl'>;
  /** The store's. The board's is named after it. */
  readonly schema: string;
  /** What the server shows for our connections. */
  readonly name: string;
  /** Seconds without a sign of life after which a job is free again; looked for every third of it. */
  readonly jobHeartbeat?: number;
}

export type Pile = 'schedules' | 'work';

export interface NewJob {
  /** Of all nodes' jobs there is one with this key, queued or being done. */
  readonly key: string;
  readonly data: object;
  /** One a second, however many nodes post it. */
  readonly isThrottled?: boolean;
  readonly afterSeconds?: number;
  /** Whoever cannot do jobs of a group leaves them to others. */
  readonly group?: string;
  readonly priority?: number;
}

export interface TakenJob<T> {
  readonly id: string;
  /** With the id, the claim of whoever took it: it counts only while nobody else has taken it since. */
  readonly retryCount: number;
  readonly data: T;
}

type Claim = Omit<TakenJob<unknown>, 'data'>;

export interface JobBoard {
  /** How often a sign of life is wanted of whoever has taken a job. */
  readonly heartbeatMs: number;
  /** Those that are there already stay as they are. */
  post(pile: Pile, jobs: readonly NewJob[]): Promise<void>;
  /** Highest priority first, then oldest. */
  take<T>(pile: Pile, most: number, exceptGroups?: ReadonlySet<string>): Promise<TakenJob<T>[]>;
  /** A sign of life. Answers the ids of those that are still ours. */
  keep(pile: Pile, jobs: readonly Claim[]): Promise<ReadonlySet<string>>;
  finish(pile: Pile, job: Claim): Promise<void>;
  close(): Promise<void>;
}

const JOB_HEARTBEAT_SECONDS = 15;
const CONNECTIONS = 2;
const CONNECT_MS = 5000;
const STATEMENT_MS = 30_000;
const PILES: readonly Pile[] = ['schedules', 'work'];
/** Somebody may have emptied the tables, and a job of a pile that is not there is posted to nowhere. */
const LOOK_AT_PILES_MS = 30_000;
/** Of what we do not use. */
const RARELY_SECONDS = 86_400;

/** Table, schema, function, type: whatever of the board is missed first. */
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
  let mending: Promise<void> | undefined;
  let lookedAtPiles = Number.NEGATIVE_INFINITY;

  function open(): Promise<PgBoss> {
    opened ??= (mending ?? Promise.resolve())
      .then(start)
      .catch((error: unknown) => {
        // Of several nodes that put it up at once, one does, and the others may not see that in time.
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
      // Even where it is there, only who may create one could say "if not exists".
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
      await putUpPiles(boss);
    } catch (error) {
      await end(boss);
      throw error;
    }
    return boss;
  }

  async function putUpPiles(boss: PgBoss): Promise<void> {
    for (const pile of PILES) {
      await boss.createQueue(pile, {
        policy: 'exclusive',
        // Whoever finds work posts a job for it: one that was lost is not kept for a later try.
        retryLimit: 0,
        retentionSeconds: 3600,
        deleteAfterSeconds: 30,
        // A job lives for as long as its heart beats.
        expireInSeconds: 86_400,
      });
    }
    lookedAtPiles = performance.now();
  }

  async function on<T>(work: (boss: PgBoss) => Promise<T>): Promise<T> {
    const used = open();
    try {
      return await work(await used);
    } catch (error) {
      if (!isGone(error)) throw error;
      onTrouble(error);
      await mend(used);
      return await work(await open());
    }
  }

  /** Several may miss it at once. */
  async function mend(broken: Promise<PgBoss>): Promise<void> {
    if (opened !== undefined && opened !== broken) return;
    opened = undefined;
    mending ??= clearAway(broken).finally(() => {
      mending = undefined;
    });
    await mending;
  }

  async function clearAway(broken: Promise<PgBoss>): Promise<void> {
    const boss = await broken.catch(() => undefined);
    if (boss !== undefined) await end(boss);
    await pool.query(dropWhatIsLeft(schema));
  }

  return {
    heartbeatMs: (jobHeartbeat * 1000) / 3,
    post: (pile, jobs) =>
      on(async (boss) => {
        if (performance.now() - lookedAtPiles > LOOK_AT_PILES_MS) await putUpPiles(boss);
        await boss.insert(
          pile,
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
    take: (pile, most, exceptGroups = new Set()) =>
      on((boss) => boss.fetch(pile, { batchSize: most, ignoreGroups: [...exceptGroups] })),
    keep: (pile, jobs) =>
      on(async (boss) => {
        const claims = jobs.map(({ id, retryCount }) => ({ id, retryCount }));
        const answer: { settled?: readonly string[] } = await boss.touch(pile, claims);
        return new Set(answer.settled ?? claims.map(({ id }) => id));
      }),
    finish: (pile, { id, retryCount }) =>
      on(async (boss) => {
        // What is throttled has to stay for as long as its second lasts.
        if (pile === 'schedules') await boss.complete(pile, { id, retryCount });
        else await boss.deleteJob(pile, { id, retryCount });
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

/** What is there in part cannot be made whole; what another node has just put up stays. */
function dropWhatIsLeft(schema: string): string {
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
