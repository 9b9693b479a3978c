// The server's side of the writer thread: sealing, inserting and syncing happen there, so that the event loop
// only handles HTTP. If the thread dies it is replaced; what it was writing is not acknowledged.
import { Worker } from 'node:worker_threads';
import { createLateFailure } from '../../domain/store/late-failure.ts';
import { StoreUnavailable } from '../../domain/store/store-unavailable.ts';
import type { WriteOp, WriteOutcome } from '../write-ops.ts';
import type { CheckpointMode } from './checkpointer.ts';
import {
  decodeOutcomes,
  encodeOps,
  type GroupAnswer,
  type KeysMessage,
  type WriterAnswer,
  type WriterOptions,
  type WriterRequest,
} from './writer-messages.ts';

const RESTART_DELAY_MS = 1000;

export interface WriterThread {
  run(ops: WriteOp[]): Promise<WriteOutcome[]>;
  /** Seals with the first of these keys from now on; resolves to whether it does. */
  useKeys(masterKeys: readonly Uint8Array[]): Promise<boolean>;
  /** Runs between two transactions. */
  checkpoint(mode: CheckpointMode): Promise<boolean>;
  isAlive(): boolean;
  /** Whether a transaction has failed recently. */
  failedLately(): boolean;
  close(): Promise<void>;
}

interface Pending {
  readonly size: number;
  readonly resolve: (outcomes: WriteOutcome[]) => void;
  readonly reject: (reason: unknown) => void;
}

export async function startWriterThread(
  entry: URL,
  { databasePath, masterKeys }: WriterOptions,
  onFailure: (message: string) => void,
): Promise<WriterThread> {
  const pending = new Map<number, Pending>();
  let lastGroupNo = 0;
  let worker: Worker | undefined;
  let starting: Worker | undefined;
  let restart: NodeJS.Timeout | undefined;
  let closing = false;
  const failure = createLateFailure();
  let onCheckpoint: ((isDone: boolean) => void)[] = [];
  let onKeys: ((taken: boolean) => void)[] = [];
  let keys = masterKeys;

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
    if (failed !== undefined) {
      failure.note(String(failed[2]));
      onFailure(String(failed[2]));
    }
    for (const answer of answers) settle(answer);
  }

  function settleCheckpoints(isDone: boolean): void {
    for (const settle of onCheckpoint) settle(isDone);
    onCheckpoint = [];
  }

  function settleKeys(taken: boolean): void {
    for (const settle of onKeys) settle(taken);
    onKeys = [];
  }

  function lose(message: string): void {
    worker = undefined;
    starting = undefined;
    for (const { reject } of pending.values()) {
      reject(new StoreUnavailable('the writer stopped'));
    }
    pending.clear();
    settleCheckpoints(false);
    settleKeys(false);
    if (closing) return;
    onFailure(message);
    restart = setTimeout(() => void start().catch(() => undefined), RESTART_DELAY_MS).unref();
  }

  const workerData = (): WriterOptions => ({ databasePath, masterKeys: keys });

  function start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const started = new Worker(entry, { workerData: workerData() });
      starting = started;
      let failure = 'the writer stopped';
      started.on('message', (answer: WriterAnswer) => {
        if (answer === 'ready') {
          worker = started;
          starting = undefined;
          resolve();
        } else if (answer === 'keys taken') settleKeys(true);
        else if ('mode' in answer) settleCheckpoints(answer.isDone);
        else settleAll(answer);
      });
      started.on('error', (error) => {
        failure =
          (error as { errstr?: string }).errstr ??
          (error instanceof Error ? error.name : 'unknown');
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
    useKeys(newer) {
      keys = newer;
      if (worker === undefined) return Promise.resolve(false);
      const message: KeysMessage = { masterKeys: newer };
      worker.postMessage(message);
      return new Promise((resolve) => onKeys.push(resolve));
    },
    checkpoint(mode) {
      if (worker === undefined) return Promise.resolve(false);
      worker.postMessage(mode);
      return new Promise((resolve) => onCheckpoint.push(resolve));
    },
    isAlive: () => worker !== undefined,
    failedLately: () => failure.reason() !== undefined,
    async close() {
      closing = true;
      clearTimeout(restart);
      const target = worker ?? starting;
      if (target === undefined) return;
      const exited = new Promise((resolve) => target.once('exit', resolve));
      target.postMessage(null);
      await exited;
    },
  };
}
