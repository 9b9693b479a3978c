// A running server: its parts, started and stopped in order.
import { lookup } from 'node:dns/promises';
import type { FastifyInstance } from 'fastify';
import { createTellUnreadable } from '../alarms/unreadable.ts';
import { createWorkerTrouble } from '../alarms/worker-trouble.ts';
import type { Config, LoadedConfig } from '../config/config.ts';
import { createSendError } from '../http/errors.ts';
import { registerHealth } from '../http/pages/health.ts';
import { registerLanding } from '../http/pages/landing.ts';
import { createRequestIds } from '../http/request-id.ts';
import { createHttpServer } from '../http/server.ts';
import { POLL_INTERVALS, type PollIntervals } from '../queue/poll-intervals.ts';
import type { WorkerThread } from '../queue/worker-thread.ts';
import { withProvenStatus } from '../store/proven-status.ts';
import { createHistograms, type Histograms } from '../telemetry/histograms.ts';
import { createErrorLog, logRequests, reasonOf } from '../telemetry/http-log.ts';
import type { Log } from '../telemetry/log.ts';
import { createAnswered, observeAnswers } from '../telemetry/observe-answers.ts';
import { createFollowKeys } from '../vault/follow-keys.ts';
import { rememberRowKey } from '../vault/row-key.ts';
import { createSecretSealer } from '../vault/seal-secret.ts';
import { createTellAlarms } from './alarms.ts';
import { storeOf } from './backup/backed-store.ts';
import { type OpenedCertificate, openCertificate } from './certificate.ts';
import type { Installation } from './installation.ts';
import { checkOwnSecrets, maintainDigestKeys } from './keys.ts';
import { limitServer } from './limits.ts';
import { markAnswers } from './mark-answers.ts';
import { type OperatorServer, openOperatorServer } from './operator/server.ts';
import { checkProofKeys, replaceOldProofKey } from './proof/proof.ts';
import { sealLast } from './proof/sealing.ts';
import { createReadiness } from './readiness.ts';
import { guardStore } from './restored-store.ts';
import type { Serving } from './serving.ts';
import { createLiveConfig, type LiveConfig } from './settings/live-config.ts';
import { createReloadSettings, type ReloadSettings } from './settings/reload-settings.ts';
import { workSettings } from './settings/work-settings.ts';
import { openTls } from './tls.ts';
import { VERSION } from './version.ts';
import { tellLost } from './worker-secrets.ts';

const KEY_MAINTENANCE_MS = 3_600_000;
/** Interrupted batches are taken over when their lease expires. */
const FINISH_BATCHES_MS = 15_000;

export interface Service {
  listen(): Promise<string>;
  readonly reload: ReloadSettings;
  readonly outdated: Promise<Error>;
  /** Reports unready; requests are still served. */
  drain(): void;
  /** Finishes what is in progress, then closes everything. */
  close(): Promise<void>;
}

export async function createService(
  loaded: Pick<LoadedConfig, 'config' | 'sources' | 'file'>,
  installation: Installation,
  log: Log,
  intervals: PollIntervals = POLL_INTERVALS,
  /** Reads flags, environment and file again. */
  readAgain: () => LoadedConfig = () => ({ ...loaded, warnings: [] }),
): Promise<Service> {
  const { config } = loaded;
  const live = createLiveConfig(config, loaded, readAgain);
  const histograms = createHistograms();
  const { observe } = histograms;
  const { vaultKeys } = installation;
  const serving = await installation.serve({
    config,
    configDigest: live.digest,
    vaultKeys,
    log,
    observe,
  });
  try {
    return await buildService({ config, installation, serving, histograms, log, intervals, live });
  } catch (error) {
    await serving.close();
    throw error;
  }
}

interface ServiceParts {
  readonly config: Config;
  readonly installation: Installation;
  readonly serving: Serving;
  readonly histograms: Histograms;
  readonly log: Log;
  readonly intervals: PollIntervals;
  readonly live: LiveConfig;
}

async function buildService(parts: ServiceParts): Promise<Service> {
  const { config, installation, serving, histograms, log, intervals, live } = parts;
  const { store, vaultKeys, signingKeys } = installation;
  const { clock } = store;
  const warn = (fields: object, message: string) => log.warn(fields, message);
  const tell = createTellAlarms(warn);
  installation.refusedRows.tellTo(tell);
  await rememberRowKey(config.dataDir, store.ownSecrets, createSecretSealer(vaultKeys.ring));
  let state: 'serving' | 'draining' | 'closing' = 'serving';

  const unreadable = createTellUnreadable(store.alarms, clock, tell);
  await checkOwnSecrets(store, vaultKeys.ring, unreadable);
  await checkProofKeys(store, vaultKeys.ring, tell);
  const guard = await guardStore({
    config,
    store,
    masterKeys: vaultKeys.ring,
    log,
    requests: withProvenStatus(serving.requests, store.loggedStatus),
    current: live.current,
    requireWhole: serving.requireWhole,
    lookMs: intervals.restores,
  });
  const backedStore = await storeOf(config);
  const notReadyBecause = createReadiness({
    isServing: () => state === 'serving',
    serving,
    guard,
    vaultKeys,
    store,
  });
  let worker: WorkerThread | undefined;
  const reload = createReloadSettings({
    live,
    auditLog: store.auditLog,
    clock,
    log,
    inForce: () => worker?.renew(),
  });
  const errorLog = createErrorLog(log);
  const isClosing = () => state === 'closing';
  const sendError = createSendError({ log: errorLog, isClosing });
  const makeRequestId = createRequestIds(config.trustProxy !== false);
  const tls = openTls(config);
  const answered = createAnswered(histograms.observe);
  const observe = (server: FastifyInstance) => {
    logRequests(server, log);
    observeAnswers(server, answered);
    return server;
  };
  const serverOptions = {
    tls: tls?.pair,
    trustProxy: config.trustProxy,
    sendError,
    isClosing,
    makeRequestId,
  };
  const app = observe(createHttpServer(serverOptions));
  let operators: OperatorServer | undefined;
  let certificate: OpenedCertificate | undefined;
  // The port of a worker only answers health checks.
  if (config.role !== 'worker') {
    const { registerApi } = await import('./api.ts');
    const { alarms } = store;
    certificate = await openCertificate({ config, alarms, clock, log, everyMs: intervals.tls });
    await registerApi(app, {
      config,
      store,
      vaultKeys,
      signingKeys,
      serving,
      log,
      errorLog,
      sendError,
      isClosing,
      requests: guard.requests,
      makeRequestId,
      answered,
      recheckMs: intervals.credentials,
      signing: certificate?.signing,
    });
    operators = await openOperatorServer({
      server: app.server,
      sendError,
      makeRequestId,
      notReadyBecause,
      createApp: () => observe(createHttpServer(serverOptions)),
      api: {
        config,
        live,
        reload,
        installation,
        log,
        errorLog,
        isClosing,
        notReadyBecause,
        processorCertificate: certificate?.current,
      },
    });
  }
  registerHealth(app, notReadyBecause, VERSION);
  registerLanding(app, {
    version: VERSION,
    hasConsole: config.role !== 'worker' && config.operatorPort === null,
  });
  if (config.sandbox) markAnswers([app, operators?.app], log);
  limitServer(app.server, config, log);
  const unfollowTls = [app, operators?.app].map(
    (it) => it && tls?.follow(it.server, intervals.tls, log),
  );
  // Loaded on demand: it costs 5 MiB.
  const management =
    config.managementPort === null
      ? undefined
      : (await import('./management.ts')).createManagement({
          config,
          current: live.current,
          histograms,
          notReadyBecause,
          clock,
          processorCertificate: certificate?.current,
          readMetrics: await serving.openMetrics(),
          masterKeys: store.masterKeys,
        });

  async function maintainKeys(): Promise<void> {
    try {
      await signingKeys.maintain();
      await store.operators.removeExpired(clock(), config.operatorSessionIdle * 1000);
      await replaceOldProofKey(store, vaultKeys.ring, config);
      await maintainDigestKeys(store, vaultKeys.ring, live.current(), unreadable);
    } catch (error) {
      log.error({ reason: reasonOf(error) }, 'keys and sessions were not maintained; trying again');
    }
  }

  const lookAtKeys = createFollowKeys({
    masterKeys: serving.masterKeys,
    adopt: store.masterKeys.adopt,
    vaultKeys,
    passToSealer: serving.useKeys,
    clock,
    warn,
    tellLost: (problem) =>
      void tellLost(store.alarms, problem, clock(), tell).catch(() => warn({}, problem.message)),
    tellFailure: (error) =>
      log.error({ reason: reasonOf(error) }, 'the master keys could not be checked; trying again'),
  });
  await lookAtKeys();
  const following = setInterval(() => void lookAtKeys(), intervals.masterKeys).unref();

  await maintainKeys();
  const maintenance = setInterval(() => void maintainKeys(), KEY_MAINTENANCE_MS).unref();
  // Done last, so that a failure before this leaves nothing running.
  guard.follow();
  const unfollowCertificate = certificate?.follow();
  worker = serving.startWorker({
    settings: () =>
      workSettings(live.current(), {
        vaultKeys,
        intervals,
        backedStore,
        waitBeforeStartsMs: guard.waitMs,
      }),
    concurrency: () => live.current().concurrency,
    stopped: createWorkerTrouble(store.alarms, tell, clock),
  });

  return {
    async listen() {
      // Only one address: for a name with two, the framework would make a second server without our settings.
      const { address } = await lookup(config.host);
      await app.listen({ host: address, port: config.port });
      await operators?.listen();
      await management?.listen();
      const bound = app.server.address();
      const port = typeof bound === 'object' ? bound?.port : config.port;
      return `${tls === undefined ? 'http' : 'https'}://${config.host}:${port}`;
    },
    reload,
    outdated: serving.outdated,
    drain() {
      state = 'draining';
      serving.drain();
    },
    async close() {
      state = 'closing';
      clearInterval(maintenance);
      clearInterval(following);
      for (const unfollow of [...unfollowTls, unfollowCertificate]) unfollow?.();
      await management?.close();
      await Promise.all([app.close(), operators?.close(), worker?.close(FINISH_BATCHES_MS)]);
      await serving.close();
      const last = {
        store,
        masterKeys: vaultKeys.ring,
        witnessFile: config.auditWitnessFile,
        writeDownHead: async () => undefined,
        log: (level: 'info' | 'warn', fields: object, message: string) =>
          log[level](fields, message),
      };
      await sealLast(last, clock());
      await guard.close();
    },
  };
}
