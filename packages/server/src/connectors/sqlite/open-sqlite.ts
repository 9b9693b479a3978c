import { fork } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TargetDown } from '../../domain/target/connector.ts';
import type { SqlTargetConfig } from '../../domain/target/target.ts';
import { entryBeside } from '../../files/own-files.ts';
import { type Connection, createConnectionPool } from '../sql/connection-pool.ts';
import { type SqlDatabase, SqlFailure, type SqlResult } from '../sql/session.ts';
import { toSqliteFailure } from './sqlite-failure.ts';
import type { SqliteAnswer, SqliteMessage, SqliteQuery } from './sqlite-messages.ts';

const PROCESS = fileURLToPath(entryBeside(import.meta.url, 'sqlite-process'));

export function openSqlite(config: SqlTargetConfig): SqlDatabase {
  const { statementTimeout, lockTimeout, address } = config;
  return createConnectionPool({
    where: address,
    statementTimeout,
    lockTimeout,
    open: () => start(config),
  });
}

interface Pending {
  resolve(result: SqlResult): void;
  reject(reason: unknown): void;
}

/**
 * A file that is replaced, for example by a restored backup, stays open under its path: it must be opened
 * again.
 */
function fileAt(path: string): string {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file === undefined ? 'none' : `${file.dev} ${file.ino}`;
}

/**
 * The child gets nothing else of our environment or flags. Without the cache, stripping types and compiling
 * take two thirds of the start (measured: 149 ms of processor time, 48 ms with it).
 */
function environment(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

async function start(config: SqlTargetConfig): Promise<Connection> {
  const opened = fileAt(config.address);
  const child = fork(PROCESS, [], {
    env: environment(),
    execArgv: ['--no-warnings'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const pending: Pending[] = [];
  let lost: Error | undefined;

  child.on('message', (answer: SqliteAnswer) => {
    const query = pending.shift();
    if ('errcode' in answer) query?.reject(toSqliteFailure(answer.errcode, answer));
    else query?.resolve(answer);
    if (pending.length === 0) setKeepsAlive(false);
  });
  child.on('error', lose);
  child.on('exit', lose);

  function lose(): void {
    lost ??= new TargetDown('unreachable', "the process that reads the target's file has ended");
    for (const query of pending.splice(0)) query.reject(lost);
  }

  // An idle child does not keep this process from ending.
  function setKeepsAlive(isKept: boolean): void {
    if (isKept) child.ref();
    else child.unref();
    if (isKept) child.channel?.ref();
    else child.channel?.unref();
  }

  function ask(message: SqliteMessage): Promise<SqlResult> {
    return new Promise((resolve, reject) => {
      if (lost !== undefined) return reject(lost);
      pending.push({ resolve, reject });
      setKeepsAlive(true);
      child.send(message, (error) => error && lose());
    });
  }

  /** SQLite has no timeout for a statement: the process is killed, and a new one takes its place. */
  async function askInTime(message: SqliteMessage): Promise<SqlResult> {
    const limit = config.statementTimeout + config.lockTimeout;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, limit);
    try {
      return await ask(message);
    } catch (error) {
      if (!isLate) throw error;
      throw new SqlFailure(
        'lock',
        'statement_timeout',
        `a statement took longer than ${limit} ms and was stopped`,
      );
    } finally {
      clearTimeout(timer);
    }
  }

  const query = (sql: string, values: SqliteQuery['values'] = []) => askInTime({ sql, values });

  try {
    await ask({ path: config.address, busyTimeout: config.lockTimeout });
  } catch (error) {
    child.kill('SIGKILL');
    throw error instanceof SqlFailure ? new TargetDown(error.code, error.message) : error;
  }

  return {
    query,
    async begin(kind) {
      await query(`PRAGMA query_only = ${kind === 'read' ? 1 : 0}`);
      if (kind === 'read') await query('BEGIN');
      else await askInTime({ begin: 'write' });
    },
    isBroken: () => lost !== undefined || fileAt(config.address) !== opened,
    destroy() {
      child.kill('SIGKILL');
      lose();
    },
    async end() {
      if (lost !== undefined) return;
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.ref();
      child.disconnect();
      await exited;
    },
  };
}
