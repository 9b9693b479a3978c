// Entry of the worker's thread: builds fulfilment and runs it until there is nothing left to do.
import { parentPort, workerData } from 'node:worker_threads';
import { type ChoreSettings, createChores } from './compose-chores.ts';
import { createConnector } from './connectors/create-connector.ts';
import type { TargetConfig } from './domain/target.ts';
import { createBackoff } from './fulfilment/backoff.ts';
import { createConnectorsInUse } from './fulfilment/connectors-in-use.ts';
import { createOpenIdentities } from './fulfilment/open-subjects.ts';
import { createPlanRequest } from './fulfilment/plan-request.ts';
import { createRunBatch } from './fulfilment/run-batch.ts';
import { createStartDue } from './fulfilment/start-due.ts';
import { createEmbeddedQueue } from './queue/embedded.ts';
import type { WorkerMessage } from './queue/worker-thread.ts';
import { createFulfilmentStore } from './store/sqlite/fulfilment-store.ts';
import { openDatabase } from './store/sqlite/open-database.ts';
import { createOwnSecretStore } from './store/sqlite/own-secrets.ts';
import { createIdentityDigest } from './vault/digest-identities.ts';
import { createThreadRing, type MasterKeySource } from './vault/load-keys.ts';
import { createOverwriteHash, loadOwnSecret } from './vault/own-secret.ts';
import { createIdentityVault } from './vault/seal-identities.ts';
import { createKeysVault } from './vault/seal-keys.ts';
import { createSecretSealer } from './vault/seal-secret.ts';

export interface WorkerOptions {
  readonly databasePath: string;
  /** Current first. Keys stay in this process's memory. */
  readonly masterKeys: readonly Uint8Array[];
  /** Where they came from, and a newer one is looked for. */
  readonly keySource: MasterKeySource;
  readonly targets: readonly TargetConfig[];
  readonly cancellationWindowMs: number;
  readonly retryDelayMs: number;
  readonly maxStartsPerDay: number | null;
  readonly chores: ChoreSettings;
}

const IDLE_MS = 60_000;
const ALIVE_MS = 5000;

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker thread');
const options = workerData as WorkerOptions;
const say = (message: WorkerMessage) => port.postMessage(message);

const database = openDatabase(options.databasePath, 'write');
const store = createFulfilmentStore(database);
const ring = createThreadRing(options.masterKeys, options.keySource);
const sealer = createSecretSealer(ring);
const ownSecrets = createOwnSecretStore(database);
const identityVault = createIdentityVault(ring);
const openIdentities = createOpenIdentities(identityVault.open);
const hashKey = loadOwnSecret(ownSecrets, sealer, 'overwrite hashes');
const backoff = createBackoff(options.retryDelayMs, Math.random);
const connectors = createConnectorsInUse((target) =>
  createConnector(target, { hash: createOverwriteHash(hashKey, target.name) }),
);

const queue = createEmbeddedQueue({
  store,
  targets: new Map(options.targets.map((target) => [target.name, target])),
  startDue: createStartDue({
    store,
    plan: createPlanRequest(options.targets),
    openIdentities,
    digest: createIdentityDigest(loadOwnSecret(ownSecrets, sealer, 'identity digests')),
    clock: Date.now,
    cancellationWindowMs: options.cancellationWindowMs,
    maxStartsPerDay: options.maxStartsPerDay,
  }),
  runBatch: createRunBatch({
    store,
    clock: Date.now,
    backoff,
    connectorOf: connectors.connectorOf,
    openIdentities,
    sealIdentities: identityVault.seal,
    keysVault: createKeysVault(ring),
  }),
  chores: createChores({ database, settings: options.chores, masterKeys: ring, say }),
  probeDelay: backoff.probe,
  clock: Date.now,
  worker: `pid ${process.pid}`,
  report: {
    trouble: (what, error) =>
      say({ level: 'error', fields: { reason: nameOf(error) }, message: `trouble while ${what}` }),
    targetDown: (target, code, detail) =>
      say({
        level: 'warn',
        fields: { target, code, detail },
        message: 'a target is left alone for now',
      }),
    targetBack: (target) => say({ level: 'info', fields: { target }, message: 'a target is back' }),
  },
});

/** Never a message: it may quote data. */
function nameOf(error: unknown): string {
  const { errstr, name } = error as { errstr?: string; name?: string };
  return errstr ?? name ?? 'unknown';
}

async function run(): Promise<void> {
  const alive = setInterval(() => say('alive'), ALIVE_MS);
  await queue.run(IDLE_MS);
  clearInterval(alive);
  await connectors.close();
  database.close();
  port?.close();
}

port.on('message', () => queue.stop());
// Not awaited here: messages reach a thread only after its module has been evaluated.
void run();
