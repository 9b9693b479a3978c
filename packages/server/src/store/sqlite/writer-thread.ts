// The server's end of the writer's thread: sealing, inserting and syncing happen there, so that the
// event loop only speaks HTTP. A thread that dies is replaced; what it had in hand is not
// acknowledged.
import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../../domain/store-unavailable.ts';
import type { CheckpointMode } from './checkpointer.ts';
import type { WriteOp, WriteOutcome } from './write-batch.ts';
import {
  decodeOutcomes,
  encodeOps,
  type GroupAnswer,
  type WriterAnswer,
  type WriterOptions,
  type WriterRequest,
} from './writer-messages.ts';

const RESTART_DELAY_MS = 1000;

export interface WriterThread {
  run(ops: WriteOp[]): Promise<WriteOutcome[]>;
  /** Between two transactions. */
  checkpoint(mode: CheckpointMode): void;
  isAlive(): boolean;
  close(): Promise<void>;
}

interface Pending {
  readonly size: number;
  readonly resolve: (outcomes: WriteOutcome[]) => void;
  readonly reject: (reason: unknown) => void;
}

export async function startWriterThread(
  entry: URL,
  options: WriterOptions,
  onFailure: (message: string) => void,
): Promise<WriterThread> {
  const pending = new Map<number, Pending>();
  let lastGroupNo = 0;
  let worker: Worker | undefined;
  let closing = false;

  function settle(answer: GroupAnswer): void {
    const group = pending.get(answer[1]);
    if (group === undefined) return;
    pending.delete(answer[1]);
    if (answer[0] === 'failed')
      group.reject(new StoreUnavailable('the store could not be written'));
    else group.resolve(decodeOutcomes(answer, group.size));
  }

  function settleAll(answers: readonly GroupAnswer[]): void {
    const failed = answers.find((answer) => answer[0] === 'failed');
    if (failed !== undefined) onFailure(String(failed[2]));
    for (const answer of answers) settle(answer);
  }

  function lose(message: string): void {
    worker = undefined;
    for (const { reject } of pending.values()) {
      reject(new StoreUnavailable('the writer stopped'));
    }
    pending.clear();
    if (closing) return;
    onFailure(message);
    setTimeout(() => void start().catch(() => undefined), RESTART_DELAY_MS).unref();
  }

  function start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const started = new Worker(entry, { workerData: options });
      let failure = 'the writer stopped';
      started.on('message', (answer: WriterAnswer) => {
        if (answer === 'ready') {
          worker = started;
          resolve();
        } else settleAll(answer);
      });
      started.on('error', (error) => {
        failure = error instanceof Error ? error.message : String(error);
      });
      started.on('exit', () => {
        reject(new StoreUnavailable(failure));
        lose(failure);
      });
    });
  }

  await start();

  return {
    run(ops) {
      if (worker === undefined) {
        return Promise.reject(new StoreUnavailable('the writer is being restarted'));
      }
      const groupNo = ++lastGroupNo;
      const message: WriterRequest = [groupNo, encodeOps(ops)];
      const target = worker;
      return new Promise((resolve, reject) => {
        pending.set(groupNo, { size: ops.length, resolve, reject });
        target.postMessage(message);
      });
    },
    checkpoint: (mode) => worker?.postMessage(mode),
    isAlive: () => worker !== undefined,
    async close() {
      closing = true;
      const target = worker;
      if (target === undefined) return;
      const exited = new Promise((resolve) => target.once('exit', resolve));
      target.postMessage(null);
      await exited;
    },
  };
}
