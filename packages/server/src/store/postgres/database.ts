// All access to PostgreSQL: short statements on a pool, prepared by name, and transactions. Nothing here needs a
// session: no session locks, no session settings, no LISTEN. So a pooler in transaction mode may be in between.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { createRowMacs, type RowMacs } from '../../domain/keys/row-macs.ts';
import { type Dialect, type PostgresStatement, postgresStatement } from '../dialect.ts';
import * as shared from '../sql.ts';
import { connectionOf } from './connection.ts';
import { failureOf } from './failures.ts';
import { NEW_AUDIT_ROWS } from './new-audit.ts';

export interface DatabaseOptions {
  readonly url: string;
  /** The schema of our tables. */
  readonly schema: string;
  readonly poolSize: number;
  /** Milliseconds; null: the server's own setting applies. */
  readonly statementTimeout: number | null;
  /** False for poolers that do not support prepared statements. */
  readonly prepare: boolean;
  /** The application name of our connections. */
  readonly name: string;
}

/** Named values, as in shared statements; or values for `$1`, `$2`, if a statement is assembled from parts. */
export type Values = shared.Values | readonly unknown[];

/** Runs statements one after the other. `@name` in a statement is one of our tables. */
export interface Sql extends shared.Sql {
  all<Row>(text: string, values?: Values): Promise<Row[]>;
  get<Row>(text: string, values?: Values): Promise<Row | undefined>;
  run(text: string, values?: Values): Promise<number>;
}

export interface Transaction extends Sql, Pick<shared.Transaction, 'lock'> {
  /** From here to its end, statements may take hours, and waiting for locks too. */
  takeTime(): Promise<void>;
}

export interface Database extends Sql {
  readonly schema: string;
  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  snapshot<T>(read: (sql: Sql) => Promise<T>): Promise<T>;
  readonly unprepared: Database;
  close(): Promise<void>;
}

const POSTGRES: Dialect = {
  requestTables: ['@requests', '@archived_requests'],
  auditTables: ['@audit_rows', `${NEW_AUDIT_ROWS} AS newer`],
  arrivalTable: '@new_audit_rows',
  arrivalNo: 'arrival_no',
  // Numbers are assigned before the commit; no transaction takes longer than this.
  lateNumbersMs: 2 * 60_000,
};

const MAX_TRIES = 5;
const CONNECT_MS = 5000;
const IDLE_MS = 30_000;
const LONGEST_MS = 60_000;
/** The longest that a timer can be set for: 24 days. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
const SLACK_MS = 5000;

/** The type int8 is read as a number: row numbers and milliseconds stay far below 2^53. */
const INT8 = 20;
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8 && format !== 'binary') return Number;
    return format === 'binary'
      ? pg.types.getTypeParser(oid, 'binary')
      : pg.types.getTypeParser(oid, 'text');
  },
} as pg.CustomTypesConfig;

export function openDatabase(
  options: DatabaseOptions,
  /** Told how long a transaction took, with its commit. */
  committed: (ms: number) => void = () => undefined,
): Database {
  const { schema, prepare } = options;
  const pool = new pg.Pool({
    ...connectionOf(options.url),
    max: options.poolSize,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    application_name: options.name,
    keepAlive: true,
    types,
    ...(options.statementTimeout !== null && { statement_timeout: options.statementTimeout }),
    // If the network to the server is cut there is no error: so this process needs its own timeout.
    query_timeout: (options.statementTimeout ?? LONGEST_MS) + SLACK_MS,
  });
  // An idle connection broke: the next statement opens another one, or reports the problem.
  pool.on('error', () => undefined);
  const rowMacs = createRowMacs();
  const plain = makeDatabase(pool, schema, createStatements(schema, false), rowMacs, committed);
  if (!prepare) return plain;
  const prepared = makeDatabase(pool, schema, createStatements(schema, true), rowMacs, committed);
  return { ...prepared, unprepared: plain };
}

type StatementOf = ReturnType<typeof createStatements>;

function makeDatabase(
  pool: pg.Pool,
  schema: string,
  statementOf: StatementOf,
  rowMacs: RowMacs,
  committed: (ms: number) => void,
): Database {
  function sqlOn(
    target: pg.Pool | pg.PoolClient,
    timeout: () => { readonly query_timeout?: number } = () => ({}),
  ): Sql {
    const query = async (text: string, values: Values = []): Promise<pg.QueryResult> => {
      const { names, ...statement } = statementOf(text, !Array.isArray(values));
      try {
        return await target.query({ ...statement, ...timeout(), values: inOrder(names, values) });
      } catch (error) {
        throw failureOf(error);
      }
    };
    return {
      dialect: POSTGRES,
      rowMacs,
      all: async (text, values) => (await query(text, values)).rows,
      get: async (text, values) => (await query(text, values)).rows[0],
      run: async (text, values) => (await query(text, values)).rowCount ?? 0,
    };
  }

  function transactionOn(client: pg.PoolClient): Transaction {
    let timeout = {};
    const sql = sqlOn(client, () => timeout);
    return {
      ...sql,
      async takeTime() {
        await sql.run('SET LOCAL statement_timeout = 0');
        timeout = { query_timeout: NO_TIMEOUT_MS };
      },
      async lock(what, how) {
        const lock = how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
        await sql.run(`SELECT ${lock}(hashtextextended(:what, 0))`, {
          what: `unwrite ${schema}: ${what}`,
        });
      },
    };
  }

  async function once<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw failureOf(error);
    });
    // A connection may also break between two statements.
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError);
    const tell = (text: string) =>
      client.query(text).catch((error: unknown) => {
        throw failureOf(error);
      });
    try {
      const begun = performance.now();
      await tell('BEGIN');
      const result = await work(transactionOn(client));
      await tell('COMMIT');
      committed(performance.now() - begun);
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((failed: Error) => {
        broken = failed;
      });
      // An error of a statement, or of the work itself: rethrow it.
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  const database: Database = {
    schema,
    ...sqlOn(pool),
    get unprepared() {
      return database;
    },
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await once(work);
        } catch (error) {
          if (tries === MAX_TRIES || !isInTheWay(error)) throw error;
        }
      }
    },
    snapshot: (read) =>
      database.transaction(async (sql) => {
        await sql.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
        return read(sql);
      }),
    close: () => pool.end(),
  };
  return database;
}

/** A deadlock or a serialisation failure: the transaction was rolled back as a whole. */
function isInTheWay(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === '40P01' || code === '40001';
}

interface Statement extends PostgresStatement {
  readonly name?: string;
}

function createStatements(schema: string, prepare: boolean) {
  const known = new Map<string, Statement>();
  return (text: string, isNamed: boolean): Statement => {
    const statement = known.get(text);
    if (statement !== undefined) return statement;
    const qualified = postgresStatement(text, schema, isNamed);
    const name = createHash('sha256').update(qualified.text).digest('base64url').slice(0, 20);
    // Several statements in one text cannot be prepared.
    const made = prepare && !/;\s*\S/.test(text) ? { ...qualified, name } : qualified;
    known.set(text, made);
    return made;
  };
}

function inOrder(names: readonly string[], values: Values): unknown[] {
  if (Array.isArray(values)) return values;
  const given = values as shared.Values;
  return names.map((name) => {
    if (given[name] === undefined) throw new Error(`a statement has no value for :${name}`);
    return given[name] instanceof shared.Rows ? given[name].asJson() : given[name];
  });
}
