// Entry of the writer thread: besides service.ts, the second place that builds and connects parts.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { createOwnSecretStore } from '../store/shared/keys/own-secrets.ts';
import type { CheckpointMode } from '../store/sqlite/checkpointer.ts';
import { databaseOn } from '../store/sqlite/database.ts';
import { BUSY_TIMEOUT_MS, openDatabase } from '../store/sqlite/open-database.ts';
import { createWriteBatch } from '../store/sqlite/write-batch.ts';
import {
  type WriterMessage,
  type WriterOptions,
  type WriterRequest,
  writeGroups,
} from '../store/sqlite/writer-messages.ts';
import { createMasterKeyRing } from '../vault/master-key.ts';
import { openRowKey } from '../vault/row-key.ts';
import { createIdentityVault } from '../vault/seal-identities.ts';
import { createSecretSealer } from '../vault/seal-secret.ts';

/**
 * Enough that the cost of the sync is shared by many requests, few enough that the first of them does not wait
 * long.
 */
const MAX_GROUPS = 64;

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker thread');
const { databasePath, masterKeys } = workerData as WriterOptions;
const database = openDatabase(databasePath, 'write');
// A request and its dependent rows are written together, so each check would look up what was written a
// moment before; the tests check all of them at the end.
database.exec('PRAGMA foreign_keys = OFF');
const ring = createMasterKeyRing(masterKeys);
const vault = createIdentityVault(ring);
const ownSecrets = createOwnSecretStore(databaseOn(database));
const macs = await openRowKey(ownSecrets, createSecretSealer(ring));
const writeBatch = createWriteBatch(database, vault.seal, Date.now, macs);

/** Does not wait for readers: what they block is done the next time. */
function checkpoint(mode: CheckpointMode): boolean {
  database.exec('PRAGMA busy_timeout = 0');
  try {
    return database.prepare(`PRAGMA wal_checkpoint(${mode})`).get()?.busy === 0;
  } catch {
    return false;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

port.on('message', (first: WriterMessage) => {
  // Everything that arrived while the last commit was synced shares the next one. The thread takes it by itself
  // instead of waiting to be handed it, so that both threads stay busy.
  const groups: WriterRequest[] = [];
  let next: WriterMessage | undefined = first;
  while (Array.isArray(next)) {
    groups.push(next);
    next = groups.length < MAX_GROUPS ? receiveMessageOnPort(port)?.message : undefined;
  }
  if (groups.length > 0) port.postMessage(writeGroups(groups, writeBatch));
  if (typeof next === 'string') port.postMessage({ mode: next, isDone: checkpoint(next) });
  else if (next === null) {
    database.close();
    port.close();
  } else if (typeof next === 'object' && 'masterKeys' in next) {
    ring.use(next.masterKeys);
    port.postMessage('keys taken');
  }
});

port.postMessage('ready');
