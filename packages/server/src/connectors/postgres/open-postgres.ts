import { Socket } from 'node:net';
import type { Client } from 'pg';
import { hostAndPort } from '../../domain/host-and-port.ts';
import { TargetDown } from '../../domain/target/connector.ts';
import type { SqlTargetConfig } from '../../domain/target/target.ts';
import { type Connection, createConnectionPool } from '../sql/connection-pool.ts';
import { type SqlDatabase, SqlFailure } from '../sql/session.ts';
import { toPostgresFailure } from './postgres-failure.ts';

const DEFAULT_PORT = 5432;
const MAX_CONNECT_MS = 10_000;

export function openPostgres(config: SqlTargetConfig): SqlDatabase {
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
  const { Client } = (await import('pg')).default;
  const socket = new Socket();
  let isBroken = false;
  const client = createClient(Client, config, socket);
  client.on('error', () => {
    isBroken = true;
  });
  client.on('end', () => {
    isBroken = true;
  });
  // Statements run one after the other, and each is told its notices before it is answered.
  let warnings = new Set<string>();
  client.on('notice', ({ code }) => {
    if (code !== undefined && !code.startsWith(NO_WARNING)) warnings.add(code);
  });
  try {
    await client.connect();
  } catch (error) {
    socket.destroy();
    const failure = toPostgresFailure(error);
    throw failure instanceof SqlFailure ? new TargetDown(failure.code, failure.message) : failure;
  }
  await requireOrigin(client, socket);
  // Sent as soon as the previous one is answered, before that answer is processed.
  let last: Promise<unknown> | undefined;
  function inTurn(query: Parameters<typeof run>[1]): ReturnType<typeof run> {
    const watched = async (): ReturnType<typeof run> => {
      warnings = new Set();
      const answer = await run(client, query);
      return warnings.size > 0 ? { ...answer, warnings: [...warnings] } : answer;
    };
    const result = last === undefined ? watched() : last.then(watched);
    const settled: Promise<unknown> = result
      .catch(() => undefined)
      .then(() => {
        if (last === settled) last = undefined;
      });
    last = settled;
    return result;
  }
  return {
    // The extended protocol takes one statement only.
    query: (sql, values) => inTurn({ text: sql, values, queryMode: 'extended' }),
    async begin(kind) {
      await inTurn({ text: beginText(config, kind) });
    },
    receivedBytes: () => socket.bytesRead,
    isBroken: () => isBroken,
    destroy() {
      isBroken = true;
      socket.destroy();
    },
    end: () => client.end(),
  };
}

/** With the role `replica`, foreign keys and triggers are disabled; only a superuser can reset it. */
async function requireOrigin(client: Client, socket: Socket): Promise<void> {
  const late = setTimeout(() => socket.destroy(), MAX_CONNECT_MS);
  try {
    const role = "SELECT current_setting('session_replication_role') AS role";
    const { rows } = await client.query<{ role: string }>(role);
    if (rows[0]?.role === 'origin') return;
    await client.query('SET session_replication_role = origin');
  } catch (error) {
    socket.destroy();
    const failure = toPostgresFailure(error);
    throw failure instanceof TargetDown ? failure : new TargetDown('replication_role', REPLICA);
  } finally {
    clearTimeout(late);
  }
}

const REPLICA =
  'the session_replication_role of the account is not "origin", so foreign keys and triggers would not act; reset it: ALTER ROLE <account> RESET session_replication_role';

async function run(
  client: Client,
  query: { text: string; values?: readonly unknown[]; queryMode?: string },
): ReturnType<Connection['query']> {
  try {
    const { rows, rowCount, command, fields } = await client.query(
      query as { text: string; values?: unknown[] },
    );
    // A function that changes rows may be called by a SELECT; the row count of the SELECT is not the number of
    // changes.
    return { rows, changes: command === 'SELECT' ? 0 : (rowCount ?? 0), columns: fields?.length };
  } catch (error) {
    throw toPostgresFailure(error);
  }
}

/** A worker that hangs must not keep rows locked. */
const UNLOCK_AFTER_IDLE = "SET LOCAL idle_in_transaction_session_timeout = '10s'";

/** The class of NOTICE and INFO, which is sent with any settings. */
const NO_WARNING = '00';

/** Sends all settings in one round trip. */
function beginText({ statementTimeout, lockTimeout }: SqlTargetConfig, kind: string): string {
  // All statements see one snapshot: the decision whose a row is, made at the beginning, holds until the end,
  // because the server refuses to change rows that another transaction has changed since.
  const mode = `ISOLATION LEVEL REPEATABLE READ READ ${kind === 'read' ? 'ONLY' : 'WRITE'}`;
  return [
    `BEGIN ${mode}`,
    `SET LOCAL statement_timeout = ${Math.ceil(statementTimeout)}`,
    `SET LOCAL lock_timeout = ${Math.ceil(lockTimeout)}`,
    // Rows that a policy hides would count as erased: fail instead.
    'SET LOCAL row_security = off',
    // Values are exchanged as text, and the same value must have the same text in every transaction.
    "SET LOCAL bytea_output = 'hex'",
    "SET LOCAL DateStyle = 'ISO, YMD'",
    "SET LOCAL IntervalStyle = 'postgres'",
    "SET LOCAL TimeZone = 'UTC'",
    'SET LOCAL extra_float_digits = 1',
    'SET LOCAL array_nulls = on',
    'SET LOCAL transform_null_equals = off',
    'SET LOCAL client_min_messages = warning',
    // Data that is reported as erased must not come back after a crash.
    ...(kind === 'write' ? ['SET LOCAL synchronous_commit = on', UNLOCK_AFTER_IDLE] : []),
  ].join('; ');
}

function createClient(Driver: typeof Client, config: SqlTargetConfig, socket: Socket): Client {
  try {
    return new Driver({
      connectionString: config.address,
      connectionTimeoutMillis: Math.min(MAX_CONNECT_MS, config.statementTimeout),
      keepAlive: true,
      application_name: 'unwrite',
      stream: () => socket,
    });
  } catch {
    // The error itself quotes the address, with its password.
    throw new TargetDown('bad_address', 'the address of the server cannot be read; correct it');
  }
}
