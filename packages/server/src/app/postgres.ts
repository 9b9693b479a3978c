// A node on PostgreSQL: this process writes requests and heartbeats, and has a worker thread that takes jobs
// from the queue.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { createFailureThrottle, FAILURE_WINDOW_MS } from '../auth/throttle-failures.ts';
import type { Config } from '../config/config.ts';
import { createLateFailure } from '../domain/store/late-failure.ts';
import type { NodeSelf } from '../domain/store/node-ports.ts';
import { entryBeside } from '../files/own-files.ts';
import { startWorkerThread } from '../queue/worker-thread.ts';
import { MigrationMismatch } from '../store/migrations.ts';
import type { DatabaseOptions } from '../store/postgres/database.ts';
import { readUndurable } from '../store/postgres/durability.ts';
import { writeRefusalOf } from '../store/postgres/failures.ts';
import { createCountFailures, forgetFailures } from '../store/postgres/login-failures.ts';
import { migrationStatus } from '../store/postgres/migrate.ts';
import { createNodeRegistry } from '../store/postgres/nodes.ts';
import { openPostgresStore, type PostgresStore } from '../store/postgres/open-store.ts';
import { createRequestStore } from '../store/postgres/request-store.ts';
import { observeWrites } from '../telemetry/observe-work.ts';
import { createIdentityVault } from '../vault/seal-identities.ts';
import type { OpenedStore, ServeParts, Serving, WorkerParts } from './serving.ts';
import { VERSION } from './version.ts';
import type { WorkerOptions } from './worker.ts';

const BEAT_MS = 5000;
/** A node whose heartbeat is older than this no longer counts as live. */
const SILENT_MS = 3 * BEAT_MS;

export function databaseOptionsOf(config: Config): DatabaseOptions {
  const { store, storeSchema, storePoolSize, storeStatementTimeout, storePrepare, role } = config;
  return {
    url: store,
    schema: storeSchema,
    poolSize: storePoolSize,
    statementTimeout: storeStatementTimeout === null ? null : storeStatementTimeout * 1000,
    prepare: storePrepare,
    name: `unwrite ${role}`,
  };
}

export async function openPostgres(config: Config): Promise<OpenedStore> {
  // The folder holds the newest head of the audit log, and the master key unless it is given in another way.
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const store = await openPostgresStore(databaseOptionsOf(config));
  return { store, serve: (parts) => serveFromPostgres(store, parts) };
}

async function serveFromPostgres(
  store: PostgresStore,
  { config, configDigest, vaultKeys, log, observe }: ServeParts,
): Promise<Serving> {
  const { database, clock } = store;
  for (const setting of await readUndurable(database)) {
    log.warn(
      { setting },
      'the database may lose what it has confirmed: 201 is not durable while this setting is off',
    );
  }
  /** The database answers, but has no space to write: its error code. */
  const refused = createLateFailure();
  function noteRefusal(error: unknown): void {
    const code = writeRefusalOf(error);
    if (code !== undefined) refused.note(code);
  }
  const { seal } = createIdentityVault(vaultKeys.ring);
  const requests = createRequestStore(database, seal, clock, noteRefusal, observeWrites(observe));
  const nodes = createNodeRegistry(database);
  const self: NodeSelf = {
    nodeId: `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`,
    host: hostname(),
    pid: process.pid,
    role: config.role,
    version: VERSION,
    startedTime: clock(),
  };
  let state = 'serving';
  let apiNodes = 1;
  let lacking: readonly string[] = [];
  const outdated = Promise.withResolvers<Error>();

  async function beat(): Promise<void> {
    await nodes.beat(self, state, configDigest(), clock());
    // After the heartbeat: a migration that did not see this node is seen here.
    lacking = (await migrationStatus(database)).waiting;
    apiNodes = Math.max(1, await nodes.countServing(clock() - SILENT_MS));
    await forgetFailures(database, clock() - FAILURE_WINDOW_MS);
  }

  const tryToBeat = () =>
    void beat().catch((error) => {
      if (error instanceof MigrationMismatch) outdated.resolve(error);
      else noteRefusal(error);
    });
  await beat();
  const beating = setInterval(tryToBeat, BEAT_MS).unref();

  function startWorker({ settings, concurrency, stopped }: WorkerParts) {
    if (config.role === 'api') return { renew: () => undefined, close: async () => undefined };
    const options = (): WorkerOptions => ({
      store: {
        kind: 'postgres',
        options: databaseOptionsOf(config),
        node: self.nodeId,
        concurrency: concurrency(),
      },
      work: settings(),
    });
    return startWorkerThread({
      entry: entryBeside(import.meta.url, 'worker'),
      options,
      // Other nodes may need this worker at any time: it waits for the queue, not for this node's requests.
      hasWork: async () => true,
      lookMs: settings().intervals.worker,
      shredded: () => undefined,
      working: () => undefined,
      stopped,
      observe,
      log: (level, fields, message) => log[level](fields, message),
    });
  }

  return {
    requests,
    throttle: createFailureThrottle(
      () => performance.now(),
      createCountFailures(database, FAILURE_WINDOW_MS, clock),
    ),
    apiNodes: () => apiNodes,
    masterKeys: store.masterKeys.masterKeys,
    troubles() {
      const code = refused.reason();
      return [
        // A backup of an older version was restored under this node; not ended, as that may be under way.
        ...(lacking.length === 0
          ? []
          : [`the store lacks ${lacking.join(', ')}: start this node again, so that it migrates`]),
        ...(code === undefined ? [] : [`the store cannot be written (${code})`]),
      ];
    },
    requireWhole: () => undefined,
    // This process seals by itself, with a key ring that already has the new keys.
    useKeys: async () => true,
    async openMetrics() {
      const { createReadMetrics } = await import('../store/postgres/read-metrics.ts');
      return createReadMetrics(database);
    },
    startWorker,
    outdated: outdated.promise,
    drain() {
      state = 'draining';
      tryToBeat();
    },
    async close() {
      clearInterval(beating);
      await requests.drained();
      await nodes.leave(self.nodeId).catch(() => undefined);
    },
  };
}
