// The server's side of the worker thread. The thread runs only while there is something to do, so an idle
// server does not need its memory. If it dies or hangs it is replaced; its leases tell what it was working on.
import { Worker } from 'node:worker_threads';
import type { Observation, Observe } from '../domain/observation.ts';

/** The thread sends a heartbeat every few seconds. */
const SILENT_MS = 60_000;

export type WorkerMessage =
  | 'alive'
  /** Data was deleted that must not stay in the store's write-ahead log. */
  | 'shredded'
  | {
      readonly level: 'info' | 'warn' | 'error';
      readonly fields: object;
      readonly message: string;
    };

/** All that the thread sends. */
export type ThreadMessage = WorkerMessage | { readonly observed: readonly Observation[] };

export interface WorkerThreadParts {
  readonly entry: URL;
  /** Called for each new thread, because the options may have changed. */
  readonly options: () => unknown;
  readonly hasWork: () => Promise<boolean>;
  /** Milliseconds between two checks whether there is work. */
  readonly lookMs: number;
  readonly shredded: () => void;
  /** Called at each check while the thread runs. */
  readonly working: () => void;
  /** Called when the thread died or had to be ended. */
  readonly stopped: () => Promise<void>;
  readonly observe: Observe;
  readonly log: (level: 'info' | 'warn' | 'error', fields: object, message: string) => void;
}

export interface WorkerThread {
  /** The next thread gets the options of now; one that runs finishes its batches with those that it has. */
  renew(): void;
  /** Finishes batches in progress, but waits no longer than this. */
  close(withinMs: number): Promise<void>;
}

export function startWorkerThread(parts: WorkerThreadParts): WorkerThread {
  const { entry, options, hasWork, lookMs, shredded, working, stopped, observe, log } = parts;
  let worker: Worker | undefined;
  let heardAt = 0;
  let failure = 'unknown';
  let closing = false;
  let isLooking = false;

  function start(): void {
    const started = new Worker(entry, { workerData: options() });
    worker = started;
    heardAt = performance.now();
    started.on('message', (message: ThreadMessage) => {
      heardAt = performance.now();
      if (message === 'shredded') shredded();
      else if (message === 'alive') return;
      else if ('observed' in message) for (const one of message.observed) observe(...one);
      else log(message.level, message.fields, message.message);
    });
    started.on('error', (error) => {
      failure = error instanceof Error ? error.name : 'unknown';
    });
    started.on('exit', (code) => {
      if (worker === started) worker = undefined;
      // The thread may have died before it could report that it shredded.
      if (code !== 0) shredded();
      if (code === 0 || closing) return;
      log('error', { reason: failure }, 'the worker stopped; it is started again');
      void stopped();
    });
  }

  async function look(): Promise<void> {
    // A slow store must not get more and more calls at once.
    if (isLooking) return;
    isLooking = true;
    try {
      if (worker === undefined) {
        if ((await hasWork()) && !closing) start();
      } else if (performance.now() - heardAt > SILENT_MS) {
        failure = 'silent for a minute';
        void worker.terminate();
      } else working();
    } catch {
      // The store cannot be read; the readiness check reports it.
    } finally {
      isLooking = false;
    }
  }

  const timer = setInterval(() => void look(), lookMs).unref();

  return {
    renew: () => worker?.postMessage('stop'),
    async close(withinMs) {
      closing = true;
      clearInterval(timer);
      const last = worker;
      if (last === undefined) return;
      const exited = new Promise((resolve) => last.once('exit', resolve));
      last.postMessage('stop');
      const cut = setTimeout(() => void last.terminate(), withinMs);
      await exited;
      clearTimeout(cut);
    },
  };
}
