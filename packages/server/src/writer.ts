// Entry of the writer's thread: the second place, beside compose.ts, that builds things and hands
// them to each other.
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from './store/sqlite/open-database.ts';
import { createWriteBatch } from './store/sqlite/write-batch.ts';
import {
  decodeOps,
  encodeOutcomes,
  type WriterAnswer,
  type WriterOptions,
  type WriterRequest,
} from './store/sqlite/writer-messages.ts';
import { createMasterKeyRing } from './vault/master-key.ts';
import { createIdentityVault } from './vault/seal-identities.ts';

const { databasePath, masterKeys } = workerData as WriterOptions;
const vault = createIdentityVault(createMasterKeyRing(masterKeys));
const database = openDatabase(databasePath, 'write');
const writeBatch = createWriteBatch(database, vault.seal, Date.now);

const answer = (message: WriterAnswer) => parentPort?.postMessage(message);

parentPort?.on('message', (message: WriterRequest | null) => {
  if (message === null) {
    database.close();
    parentPort?.close();
    return;
  }
  const [batchNo, ops] = message;
  try {
    answer(encodeOutcomes(batchNo, writeBatch(decodeOps(ops))));
  } catch (error) {
    answer(['failed', batchNo, error instanceof Error ? error.message : 'unknown failure']);
  }
});

answer(['ready']);
