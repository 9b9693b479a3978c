// Entry of the worker thread: opens its store and works until nothing is left to do or, if other nodes share
// the store, until it is told to stop.
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { StoreUnavailable } from '../domain/store/store-unavailable.ts';
import type { ThreadMessage } from '../queue/worker-thread.ts';
import type { DatabaseOptions } from '../store/postgres/database.ts';
import { openSqliteWorkStore } from '../store/sqlite/open-store.ts';
import { createPassOn } from '../telemetry/histograms.ts';
import { observeTransactions } from '../telemetry/observe-work.ts';
import { createWork, NothingAuthentic, type Work, type WorkSettings } from './work.ts';

export interface WorkerOptions {
  readonly store:
    | { readonly kind: 'sqlite'; readonly databasePath: string }
    | {
        readonly kind: 'postgres';
        readonly options: DatabaseOptions;
        readonly node: string;
        /** The number of targets that are worked on at once. */
        readonly concurrency: number;
      };
  readonly work: WorkSettings;
}

const IDLE_MS = 60_000;
const ALIVE_MS = 5000;
const AGAIN_MS = 1000;
const AUTHENTIC_AGAIN_MS = 10_000;

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker thread');
const { store, work: settings } = workerData as WorkerOptions;
const say = (message: ThreadMessage) => port.postMessage(message);
const passOn = createPassOn((observed) => say({ observed }));
let work: Work | undefined;
let isToStop = false;

async function run(): Promise<void> {
  const alive = setInterval(() => say('alive'), ALIVE_MS);
  const opened = await openWhenThere();
  if (opened !== undefined) {
    work = opened.work;
    if (isToStop) work.stop();
    await work.run(store.kind === 'sqlite' ? IDLE_MS : Number.POSITIVE_INFINITY);
    await opened.close();
    passOn.flush();
  }
  clearInterval(alive);
  port?.close();
}

interface Opened {
  readonly work: Work;
  close(): Promise<void>;
}

/** Retries, because the database may start later than its nodes, and a damaged key may be restored. */
async function openWhenThere(): Promise<Opened | undefined> {
  while (!isToStop) {
    try {
      return await open();
    } catch (error) {
      if (error instanceof NothingAuthentic) await pauseUnlessStopped(AUTHENTIC_AGAIN_MS);
      else if (error instanceof StoreUnavailable) await pause(AGAIN_MS);
      else throw error;
    }
  }
  return undefined;
}

async function pauseUnlessStopped(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (!isToStop && performance.now() < until) await pause(AGAIN_MS / 10);
}

async function open(): Promise<Opened> {
  if (store.kind === 'postgres') {
    const { openPostgresWork } = await import('./postgres-work.ts');
    return openPostgresWork({ ...store, settings, say, observe: passOn.observe });
  }
  const { createEmbeddedQueue } = await import('../queue/embedded.ts');
  const workStore = openSqliteWorkStore(store.databasePath, observeTransactions(passOn.observe));
  try {
    const made = await createWork({
      store: workStore,
      settings,
      say,
      observe: passOn.observe,
      clock: Date.now,
      worker: `pid ${process.pid}`,
      createQueue: createEmbeddedQueue,
    });
    return { work: made, close: workStore.close };
  } catch (error) {
    await workStore.close();
    throw error;
  }
}

port.on('message', () => {
  isToStop = true;
  work?.stop();
});
// Not awaited: messages reach a thread only after its module has been evaluated.
void run();
