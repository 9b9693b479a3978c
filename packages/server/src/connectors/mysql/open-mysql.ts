import type { Socket } from 'node:net';
import type { Connection as Driver, ExecuteValues, ResultSetHeader } from 'mysql2/promise';
import { hostAndPort } from '../../domain/host-and-port.ts';
import { TargetDown } from '../../domain/target/connector.ts';
import type { SqlTargetConfig } from '../../domain/target/target.ts';
import { type Connection, createConnectionPool } from '../sql/connection-pool.ts';
import { type SqlDatabase, SqlFailure, type SqlResult, type SqlRow } from '../sql/session.ts';
import { constraintOf, toMysqlFailure } from './mysql-failure.ts';
import { setUpSession } from './set-up-session.ts';

const DEFAULT_PORT = 3306;
const MAX_CONNECT_MS = 10_000;
const COLLATION = 'utf8mb4_bin';
/** There are few different statements, and the server keeps each of them prepared. */
const MAX_STATEMENTS = 200;

export function openMysql(config: SqlTargetConfig): SqlDatabase {
  const { statementTimeout, lockTimeout, address } = config;
  const where = hostAndPort(address, DEFAULT_PORT) ?? config.name;
  return createConnectionPool({
    where,
    statementTimeout,
    lockTimeout,
    open: () => connect(config),
  });
}

async function connect(config: SqlTargetConfig): Promise<Connection> {
  const { createConnection } = await import('mysql2/promise');
  if (!URL.canParse(config.address))
    throw new TargetDown('bad_address', 'the address of the server cannot be read; correct it');
  let driver: Driver;
  try {
    driver = await createConnection({
      uri: config.address,
      connectTimeout: Math.min(MAX_CONNECT_MS, config.statementTimeout),
      charset: COLLATION,
      supportBigNumbers: true,
      bigNumberStrings: true,
      dateStrings: true,
      maxPreparedStatements: MAX_STATEMENTS,
      // The server may not be trustworthy: it must not be able to request local files. FOUND_ROWS: an UPDATE
      // counts all rows that it found, including those that already had the new values.
      flags: ['-LOCAL_FILES', 'FOUND_ROWS'],
    });
  } catch (error) {
    const failure = toMysqlFailure(error);
    throw failure instanceof SqlFailure ? new TargetDown(failure.code, failure.message) : failure;
  }
  const user = decodeURIComponent(new URL(config.address).username);
  let isBroken = false;
  driver.on('error', () => {
    isBroken = true;
  });
  driver.on('end', () => {
    isBroken = true;
  });

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const failure = toMysqlFailure(error, await knownConstraint(driver, error), user);
      if (failure instanceof TargetDown) isBroken = true;
      throw failure;
    }
  }

  const late = setTimeout(() => driver.destroy(), MAX_CONNECT_MS);
  try {
    await guarded(() => setUpSession(driver, config));
  } catch (error) {
    driver.destroy();
    throw error;
  } finally {
    clearTimeout(late);
  }
  return {
    query: (sql, values) =>
      guarded(async () => {
        // Not every server can prepare statements that begin and end transactions.
        const [result, fields] = await (values.length === 0
          ? driver.query(sql)
          : driver.execute(sql, values as ExecuteValues));
        const warnings = await warningsOf(driver, result);
        return { ...toResult(result, fields), ...(warnings.length > 0 && { warnings }) };
      }),
    async begin(kind) {
      await guarded(async () => {
        await driver.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
        await driver.query(`START TRANSACTION READ ${kind === 'read' ? 'ONLY' : 'WRITE'}`);
      });
    },
    receivedBytes: () => streamOf(driver).bytesRead,
    isBroken: () => isBroken,
    destroy() {
      isBroken = true;
      driver.destroy();
    },
    end: () => driver.end(),
  };
}

/** The types of the driver do not have it. */
function streamOf(driver: Driver): Pick<Socket, 'bytesRead'> {
  const { connection } = driver as unknown as { readonly connection: { readonly stream: Socket } };
  return connection.stream;
}

const CONSTRAINT =
  'SELECT 1 FROM information_schema.TABLE_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = database() AND CONSTRAINT_NAME = ? LIMIT 1';

/** The constraint that an error names, if it exists. */
async function knownConstraint(driver: Driver, error: unknown): Promise<string | undefined> {
  const name = constraintOf(error);
  if (name === undefined) return undefined;
  try {
    const [rows] = await driver.query(CONSTRAINT, [name]);
    return (rows as SqlRow[]).length > 0 ? name : undefined;
  } catch {
    return undefined;
  }
}

/** About the statement itself: it is written in a way that a later version may not know, or that replicas may read otherwise. */
const OF_STATEMENTS = new Set(['1287', '1592', '1681']);

/** The server writes its texts for people: only the codes are kept. */
async function warningsOf(driver: Driver, result: unknown): Promise<string[]> {
  if (Array.isArray(result) || (result as ResultSetHeader).warningStatus === 0) return [];
  const [rows] = await driver.query('SHOW WARNINGS');
  const codes = (rows as SqlRow[])
    .filter(({ Level: level }) => level === 'Warning')
    .map(({ Code: code }) => String(code));
  return [...new Set(codes)].filter((code) => !OF_STATEMENTS.has(code));
}

function toResult(result: unknown, fields: readonly unknown[] = []): SqlResult {
  if (Array.isArray(result))
    return { rows: result as SqlRow[], changes: result.length, columns: fields.length };
  return { rows: [], changes: (result as ResultSetHeader).affectedRows };
}
