// Entry of the thread that copies the write-ahead log into the database file while the writer continues:
// SQLite's automatic checkpoints blocked it for 10 ms of every 50 under load.
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointOptions } from './checkpointer.ts';
import { openDatabase } from './open-database.ts';

/** The thread ends after this time without writes, so that an idle server does not pay for it. */
const IDLE_MS = 10_000;

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker thread');
const database = openDatabase((workerData as CheckpointOptions).databasePath, 'write');
const passive = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');

function end(): void {
  database.close();
  port?.close();
}

let idle = setTimeout(end, IDLE_MS);

port.on('message', (message: 'copy' | null) => {
  clearTimeout(idle);
  if (message === null) return end();
  // The number of pages in the log, nearly all of which have been copied to the database file.
  port.postMessage(passive.get()?.log);
  idle = setTimeout(end, IDLE_MS);
});
