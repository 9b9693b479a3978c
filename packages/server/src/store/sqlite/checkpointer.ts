// Decides when the write-ahead log is copied into the database file, and when it is restarted or truncated. A thread
// copies while the writer writes; the writer copies the small remainder between two transactions, so that its next
// one restarts the log. Neither waits for a reader: what could not be copied is copied the next time.
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { entryBeside } from '../../files/own-files.ts';

export interface CheckpointOptions {
  readonly databasePath: string;
}

/** What the writer does between two transactions; TRUNCATE also truncates the log file. */
export type CheckpointMode = 'PASSIVE' | 'TRUNCATE';

const OPS_BETWEEN = 200;
const LONG_LOG_PAGES = 4096;
const LONG_LOG_BYTES = 16 * 2 ** 20;
/**
 * Shredded data is gone from the log after this time or, if a reader needs the log, when that reader has finished.
 */
const CUT_DELAY_MS = 2000;

export interface Checkpointer {
  wrote(ops: number): void;
  /** Others write to the log, too. */
  copyLongLog(): void;
  /** Something was deleted that must not stay in the log. */
  shredded(): void;
  close(): Promise<void>;
}

export function createCheckpointer(
  options: CheckpointOptions,
  finish: (mode: CheckpointMode) => Promise<boolean>,
): Checkpointer {
  let worker: Worker | undefined;
  let isCopying = false;
  let opsSince = 0;
  let cut: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(): Worker {
    const started = new Worker(entryBeside(import.meta.url, 'checkpoint-thread'), {
      workerData: options,
    });
    started.unref();
    started.on('message', (logPages: number) => {
      isCopying = false;
      if (logPages >= LONG_LOG_PAGES) void finish('PASSIVE');
    });
    // SQLite's own checkpoints are a fallback if this thread does none.
    started.on('error', () => undefined);
    started.on('exit', () => {
      isCopying = false;
      worker = undefined;
    });
    worker = started;
    return started;
  }

  function scheduleCut(): void {
    cut ??= setTimeout(cutLog, CUT_DELAY_MS).unref();
  }

  async function cutLog(): Promise<void> {
    cut = undefined;
    if (!(await finish('TRUNCATE')) && !isClosed) scheduleCut();
  }

  // Data that was shredded just before the last process died may still be in the log.
  scheduleCut();

  function copy(): void {
    if (isCopying) return;
    opsSince = 0;
    isCopying = true;
    (worker ?? start()).postMessage('copy');
  }

  return {
    wrote(ops) {
      opsSince += ops;
      if (opsSince >= OPS_BETWEEN) copy();
    },
    copyLongLog() {
      const log = statSync(`${options.databasePath}-wal`, { throwIfNoEntry: false });
      if (log !== undefined && log.size >= LONG_LOG_BYTES) copy();
    },
    shredded: scheduleCut,
    async close() {
      isClosed = true;
      clearTimeout(cut);
      const target = worker;
      if (target === undefined) return;
      const exited = new Promise((resolve) => target.once('exit', resolve));
      target.ref();
      target.postMessage(null);
      await exited;
    },
  };
}
