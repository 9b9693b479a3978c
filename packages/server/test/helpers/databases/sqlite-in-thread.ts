// SQLite targets without a process of their own. Starting one costs a tenth of a second of processor time, ten
// times what a test takes otherwise; the connectors' contract and connectors/sqlite use the real one. It is the way from a connector to
// its file that is replaced, and nothing of the connector.
import childProcess, { type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { createSqliteFile } from '../../../src/connectors/sqlite/sqlite-file.ts';
import type { SqliteMessage } from '../../../src/connectors/sqlite/sqlite-messages.ts';
import { atEndOfFile } from '../at-end-of-file.ts';

/** Until the answer is called. */
export function openSqliteTargetsInThread(): () => void {
  const { fork } = childProcess;
  const forkOrStay = (path: string | URL, ...rest: unknown[]) =>
    String(path).includes('sqlite-process.')
      ? createChild()
      : Reflect.apply(fork, childProcess, [path, ...rest]);
  replaceFork(forkOrStay as typeof fork);
  return () => replaceFork(fork);
}

let stopStaying: (() => void) | undefined;

/** For the tests of this file, from now on. Not for those in which somebody else holds a lock: this thread would wait. */
export function keepSqliteTargetsInThread(): void {
  if (stopStaying !== undefined) return;
  stopStaying = openSqliteTargetsInThread();
  atEndOfFile(async () => {
    stopStaying?.();
    stopStaying = undefined;
  });
}

function replaceFork(fork: typeof childProcess.fork): void {
  childProcess.fork = fork;
  syncBuiltinESMExports();
}

/** As much of a child process as the connector uses. */
function createChild(): ChildProcess {
  const child = new EventEmitter();
  const idle = { ref: () => undefined, unref: () => undefined };
  const file = createSqliteFile();
  let hasEnded = false;

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    file.close();
    setImmediate(() => child.emit('exit', 0));
  }

  function send(message: SqliteMessage): boolean {
    const answered = file.answer(message);
    setImmediate(() => hasEnded || child.emit('message', answered));
    return true;
  }

  const parts = { ...idle, channel: idle, send, kill: end, disconnect: end };
  return Object.assign(child, parts) as unknown as ChildProcess;
}
