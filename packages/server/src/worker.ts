// Entry of the worker's thread: opens its store and works until there is nothing left to do.
import { parentPort, workerData } from 'node:worker_threads';
import { createWork, type Work, type WorkSettings } from './compose-worker.ts';
import type { WorkerMessage } from './queue/worker-thread.ts';
import { openSqliteWorkStore } from './store/sqlite/open-work-store.ts';

export interface WorkerOptions {
  readonly databasePath: string;
  readonly work: WorkSettings;
}

const IDLE_MS = 60_000;
const ALIVE_MS = 5000;

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker thread');
const { databasePath, work: settings } = workerData as WorkerOptions;
const say = (message: WorkerMessage) => port.postMessage(message);
let work: Work | undefined;
let isToStop = false;

async function run(): Promise<void> {
  const alive = setInterval(() => say('alive'), ALIVE_MS);
  const store = openSqliteWorkStore(databasePath);
  work = await createWork({ store, settings, clock: Date.now, say });
  if (isToStop) work.stop();
  await work.run(IDLE_MS);
  clearInterval(alive);
  await store.close();
  port?.close();
}

port.on('message', () => {
  isToStop = true;
  work?.stop();
});
// Not awaited here: messages reach a thread only after its module has been evaluated.
void run();
