// SQLite targets without a process of their own. Starting one costs a tenth of a second of processor time, ten
// times what a case takes otherwise; the connector's tests use the real one. It is the way from a connector to
// its file that is replaced, and nothing of the connector.
import childProcess, { type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type {
  SqliteAnswer,
  SqliteOptions,
  SqliteQuery,
} from '../../src/connectors/sqlite/sqlite-messages.ts';

/** Until the answer is called. */
export function openSqliteTargetsInThread(): () => void {
  const { fork } = childProcess;
  const forkOrStay = (path: string | URL, ...rest: unknown[]) =>
    String(path).endsWith('sqlite-process.ts')
      ? createChild()
      : Reflect.apply(fork, childProcess, [path, ...rest]);
  replaceFork(forkOrStay as typeof fork);
  return () => replaceFork(fork);
}

function replaceFork(fork: typeof childProcess.fork): void {
  childProcess.fork = fork;
  syncBuiltinESMExports();
}

/** As much of a child process as the connector uses. */
function createChild(): ChildProcess {
  const child = new EventEmitter();
  const idle = { ref: () => undefined, unref: () => undefined };
  let database: DatabaseSync | undefined;
  let hasEnded = false;

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    database?.close();
    setImmediate(() => child.emit('exit', 0));
  }

  function run(message: SqliteOptions | SqliteQuery): SqliteAnswer {
    if ('path' in message) {
      database = new DatabaseSync(message.path, { timeout: message.busyTimeout });
      return { rows: [], changes: 0 };
    }
    const statement = database?.prepare(message.sql);
    if (statement === undefined) throw new Error('not opened');
    const values = message.values as SQLInputValue[];
    if (statement.columns().length === 0) {
      return { rows: [], changes: Number(statement.run(...values).changes) };
    }
    const rows = statement.all(...values);
    return { rows, changes: rows.length };
  }

  function answer(message: SqliteOptions | SqliteQuery): SqliteAnswer {
    try {
      return run(message);
    } catch (error) {
      return { errcode: (error as { errcode?: number }).errcode ?? -1 };
    }
  }

  function send(message: SqliteOptions | SqliteQuery): boolean {
    const answered = answer(message);
    setImmediate(() => hasEnded || child.emit('message', answered));
    return true;
  }

  const parts = { ...idle, channel: idle, send, kill: end, disconnect: end };
  return Object.assign(child, parts) as unknown as ChildProcess;
}
