// The only place, beside writer.ts for its thread, that builds things and hands them to each other.
import { lookup } from 'node:dns/promises';
import { createWorkerTrouble } from './alarms/worker-trouble.ts';
import { createAccessTokens } from './auth/access-token.ts';
import { createAuthentication } from './auth/authenticate.ts';
import { createAuthenticateClient } from './auth/authenticate-client.ts';
import { createSigningKeys, type SigningKeys } from './auth/signing-keys.ts';
import { createSsoVerifier } from './auth/sso/verify-token.ts';
import { createFailureThrottle } from './auth/throttle-failures.ts';
import { alarmSettings, createTellAlarms } from './compose-alarms.ts';
import { type ChoreSettings, createDueChores } from './compose-chores.ts';
import { keySourceOf } from './compose-keys.ts';
import { openProof } from './compose-proof.ts';
import { cancellationWindowOf } from './compose-restored.ts';
import { serveFromSqlite } from './compose-sqlite.ts';
import type { Config } from './config/config.ts';
import type { Clock } from './domain/ports.ts';
import { createSendError } from './http/errors.ts';
import { registerOAuthMetadata } from './http/oauth/metadata.ts';
import { registerToken } from './http/oauth/post-token.ts';
import { registerOpendsr } from './http/opendsr/routes.ts';
import { registerApiDocs } from './http/pages/api-docs.ts';
import { registerHealth } from './http/pages/health.ts';
import { registerLanding } from './http/pages/landing.ts';
import { registerReceipts } from './http/receipts/routes.ts';
import { createRequestIds } from './http/request-id.ts';
import { createHttpServer } from './http/server.ts';
import { startWorkerThread } from './queue/worker-thread.ts';
import { renderReceipt } from './receipts/render-receipt.ts';
import { openSqliteStore, type SqliteStore } from './store/sqlite/open-store.ts';
import { countAnswers, createAnswerCounts } from './telemetry/count-answers.ts';
import { createErrorLog, logRequests, reasonOf } from './telemetry/http-log.ts';
import type { Log } from './telemetry/log.ts';
import { createFollowKeys } from './vault/follow-keys.ts';
import { loadVaultKeys, type VaultKeys } from './vault/load-keys.ts';
import { createSecretSealer } from './vault/seal-secret.ts';
import { VERSION } from './version.ts';
import type { WorkerOptions } from './worker.ts';

const KEY_MAINTENANCE_MS = 3_600_000;
const LOOK_AT_KEYS_MS = 1000;
/** What is cut off then is taken up again by its lease. */
const FINISH_BATCHES_MS = 15_000;
const wallClock: Clock = Date.now;
/** For intervals: a clock that is set back must not open or close anything. */
const steadyClock: Clock = () => performance.now();

export interface Installation {
  readonly store: SqliteStore;
  readonly vaultKeys: VaultKeys;
  readonly signingKeys: SigningKeys;
  close(): Promise<void>;
}

/** What the command line and the server share: the store, the vault, our signing keys. */
export async function openInstallation(config: Config): Promise<Installation> {
  const store = openSqliteStore(config.dataDir, wallClock);
  try {
    const vaultKeys = await loadVaultKeys(config, store.vaultKeys, store.clock);
    const signingKeys = createSigningKeys({
      store: store.signingKeys,
      sealer: createSecretSealer(vaultKeys.ring),
      clock: store.clock,
      rotateAfterMs: config.signingKeyRotation * 1000,
      verifyRetiredMs: config.tokenLifetime * 1000,
    });
    // Only the server rotates and removes keys, by its own settings; anybody may need a first one.
    await signingKeys.ensure();
    return { store, vaultKeys, signingKeys, close: store.close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

export function createTokens(config: Config, keys: SigningKeys) {
  return createAccessTokens({
    keys,
    clock: wallClock,
    issuer: config.publicUrl,
    audience: config.audience,
    lifetimeSeconds: config.tokenLifetime,
  });
}

export interface Service {
  listen(): Promise<string>;
  /** Turns unready; requests are still served. */
  drain(): void;
  /** Finishes what is under way, then lets go of everything. */
  close(): Promise<void>;
}

export async function createService(
  config: Config,
  installation: Installation,
  log: Log,
): Promise<Service> {
  const { store, vaultKeys, signingKeys } = installation;
  const { clock } = store;
  let state: 'serving' | 'draining' | 'closing' = 'serving';

  const serving = await serveFromSqlite(store, vaultKeys, (reason) =>
    log.error({ reason }, 'the store could not be written'),
  );
  const { requests } = serving;
  const cancellationWindowMs = await cancellationWindowOf(store, config, log, clock());
  const chores: ChoreSettings = {
    dataDir: config.dataDir,
    domain: config.domain,
    retentionIdentitiesMs: config.retentionIdentities * 1000,
    retentionRecordsMs: config.retentionRecords * 1000,
    keys: {
      retentionBackupsMs: config.retentionBackups * 1000,
      masterKeyFile: vaultKeys.file,
    },
    alarms: alarmSettings(config),
  };
  const dueChores = createDueChores(serving.due, chores);
  const workerOptions = (): WorkerOptions => ({
    databasePath: store.databasePath,
    work: {
      masterKeys: vaultKeys.masterKeys,
      keySource: keySourceOf(config),
      targets: config.targets,
      cancellationWindowMs,
      retryDelayMs: config.retryDelay * 1000,
      maxStartsPerDay: config.maxStartsPerDay,
      chores,
    },
  });
  const worker = startWorkerThread({
    entry: new URL('./worker.ts', import.meta.url),
    options: workerOptions,
    hasWork,
    shredded: serving.shredded,
    stopped: createWorkerTrouble(
      store.alarms,
      createTellAlarms((fields, message) => log.warn(fields, message)),
      clock,
    ),
    log: (level, fields, message) => log[level](fields, message),
  });
  const tokens = createTokens(config, signingKeys);
  const authentication = createAuthentication({
    tokens,
    keys: signingKeys,
    tenants: store.tenants,
    sso: createSsoVerifier(config.sso, store.tenants, wallClock, (issuer, error) =>
      log.warn(
        { issuer, reason: reasonOf(error) },
        'an issuer cannot be reached; its users are refused until it is back',
      ),
    ),
    issuer: config.publicUrl,
    clock: wallClock,
  });

  const errorLog = createErrorLog(log);
  const isClosing = () => state === 'closing';
  const sendError = createSendError({ log: errorLog, isClosing });
  const makeRequestId = createRequestIds(config.trustProxy !== false);
  const app = createHttpServer({
    trustProxy: config.trustProxy,
    sendError,
    isClosing,
    makeRequestId,
  });
  logRequests(app, log);
  const answers = createAnswerCounts();
  if (config.managementPort !== null) countAnswers(app, answers);
  await registerApiDocs(app, config.publicUrl, VERSION);
  registerOpendsr(app, {
    requests,
    ...authentication,
    domain: config.domain,
    isClosing,
    makeRequestId,
    sendError,
    countAnswer: answers.count,
    serveDirectly: !log.isLevelEnabled('debug'),
  });
  const proof = await openProof(store, vaultKeys.ring, config.domain);
  registerReceipts(app, {
    requests,
    authenticate: authentication.authenticate,
    documents: store.receipts.documents,
    issueNow: (request) => proof.receipts.documentsOf(request, clock()),
    render: renderReceipt,
    publicKey: proof.signer.publicKey,
  });
  registerToken(app, {
    tokens,
    authenticateClient: createAuthenticateClient(store.tenants, steadyClock),
    throttle: createFailureThrottle(steadyClock),
    audience: config.audience,
    errorLog,
    isClosing,
  });
  registerOAuthMetadata(app, config.publicUrl, signingKeys);
  registerHealth(app, notReadyBecause, VERSION);
  registerLanding(app, VERSION);
  // Loaded only where it is wanted: it costs 5 MiB.
  const management =
    config.managementPort === null
      ? undefined
      : (await import('./compose-management.ts')).createManagement({
          ...{ config, answers, notReadyBecause, clock },
          readMetrics: await serving.openMetrics(),
        });

  async function hasWork(): Promise<boolean> {
    const now = clock();
    if (await serving.hasWork(now - cancellationWindowMs, now)) return true;
    for (const chore of dueChores) if (await chore.isDue(now)) return true;
    return false;
  }

  async function notReadyBecause(): Promise<string[]> {
    const reasons = state === 'serving' ? [] : ['shutting down'];
    reasons.push(...serving.troubles());
    try {
      await store.tenants.client('');
    } catch {
      reasons.push('the store cannot be read');
    }
    return reasons;
  }

  async function maintainKeys(): Promise<void> {
    try {
      await signingKeys.maintain();
    } catch (error) {
      log.error(
        { reason: reasonOf(error) },
        'the signing keys could not be maintained; trying again later',
      );
    }
  }

  const followKeys = createFollowKeys({
    masterKeys: serving.due.masterKeys.masterKeys,
    adopt: store.masterKeys.adopt,
    vaultKeys,
    hand: serving.useKeys,
    clock,
    warn: (fields, message) => log.warn(fields, message),
  });
  const lookAtKeys = () =>
    followKeys().catch((error: unknown) =>
      log.error({ reason: reasonOf(error) }, 'the master keys could not be looked at'),
    );
  await lookAtKeys();
  const following = setInterval(() => void lookAtKeys(), LOOK_AT_KEYS_MS).unref();

  await maintainKeys();
  const maintenance = setInterval(() => void maintainKeys(), KEY_MAINTENANCE_MS).unref();

  return {
    async listen() {
      // One address: for a name with two the framework would make a second server without our settings.
      const { address } = await lookup(config.host);
      await app.listen({ host: address, port: config.port });
      await management?.listen();
      const bound = app.server.address();
      const port = typeof bound === 'object' ? bound?.port : config.port;
      return `http://${config.host}:${port}`;
    },
    drain() {
      state = 'draining';
    },
    async close() {
      state = 'closing';
      clearInterval(maintenance);
      clearInterval(following);
      await management?.close();
      await Promise.all([app.close(), worker.close(FINISH_BATCHES_MS)]);
      await serving.close();
    },
  };
}
