// Builds fulfilment and the chores beside it, on either kind of store.

import { createTellOutside } from '../alarms/outside-plan.ts';
import { createRefusedRows } from '../alarms/refused-rows.ts';
import { createTellUnreadable } from '../alarms/unreadable.ts';
import { createConnector } from '../connectors/create-connector.ts';
import { createRestartBudget } from '../connectors/module/restart-budget.ts';
import type { Clock } from '../domain/clock.ts';
import { isToPutBack } from '../domain/keys/missing-secret.ts';
import type { Observe } from '../domain/observation.ts';
import type { WorkStore } from '../domain/store/store.ts';
import type { TargetConfig } from '../domain/target/target.ts';
import { createBackoff } from '../domain/task/backoff.ts';
import { createRunBatch } from '../fulfilment/batch/run-batch.ts';
import { createConnectorsInUse } from '../fulfilment/connectors-in-use.ts';
import { createGate } from '../fulfilment/gate/gate.ts';
import { createGateChore } from '../fulfilment/gate/gate-chore.ts';
import { createOpenIdentities } from '../fulfilment/open-subjects.ts';
import { createPlanRequest } from '../fulfilment/start/plan-request.ts';
import { createStartDue } from '../fulfilment/start/start-due.ts';
import type { PollIntervals } from '../queue/poll-intervals.ts';
import { type Queue, QueueIncomplete, type QueueParts, type QueueReport } from '../queue/queue.ts';
import type { WorkerMessage } from '../queue/worker-thread.ts';
import { observeBatches, observeConnector } from '../telemetry/observe-work.ts';
import { loadDigestKeys } from '../vault/digest-keys.ts';
import { neededOf } from '../vault/follow-keys.ts';
import { createThreadRing, MasterKeyProblem, type MasterKeySource } from '../vault/load-keys.ts';
import { createOverwriteHash, loadOwnSecret } from '../vault/own-secret.ts';
import { openRowKey } from '../vault/row-key.ts';
import { createIdentityVault } from '../vault/seal-identities.ts';
import { createKeysVault } from '../vault/seal-keys.ts';
import { createSecretSealer, sealedUnderId } from '../vault/seal-secret.ts';
import { createTellAlarms } from './alarms.ts';
import { type ChoreSettings, createChores } from './chores.ts';
import { createSignedHead } from './proof/signed-heads.ts';
import { createStartGuard } from './start-guard.ts';
import { createSecretHolder, tellLost } from './worker-secrets.ts';

/** Plain data, because it is passed to a thread. */
export interface WorkSettings {
  /** Current first. Keys stay in this process's memory. */
  readonly masterKeys: readonly Uint8Array[];
  /** Source of the keys, where a newer one is looked for. */
  readonly keySource: MasterKeySource;
  readonly targets: readonly TargetConfig[];
  readonly cancellationWindowMs: number;
  /** Nothing starts before this time has passed, so that other nodes can compare the store first. */
  readonly waitBeforeStartsMs: number;
  /** How long cancellations of this node count; the store may have forgotten older requests. */
  readonly rememberRequestsMs: number;
  readonly retryDelayMs: number;
  readonly maxStartsPerDay: number | null;
  readonly chores: ChoreSettings;
  readonly intervals: PollIntervals;
}

export interface WorkParts {
  readonly store: WorkStore;
  readonly settings: WorkSettings;
  readonly clock: Clock;
  /** Name of the worker on the batches that it leases. */
  readonly worker: string;
  readonly createQueue: (parts: QueueParts) => Queue;
  readonly say: (message: WorkerMessage) => void;
  readonly observe: Observe;
  /** Left out: the connectors of the configuration. */
  readonly connect?: typeof createConnector;
  readonly uptime?: () => number;
}

export interface Work {
  /** Runs until told to stop, or until there has been no work for this long. */
  run(idleMs: number): Promise<void>;
  stop(): void;
}

/** No row of the store can be authenticated: a worker waits until that is possible. */
export class NothingAuthentic extends Error {
  override readonly name = 'NothingAuthentic';
}

export async function createWork(parts: WorkParts): Promise<Work> {
  const { store, settings, clock, worker, say, observe, connect = createConnector } = parts;
  const { fulfilment, ownSecrets } = store;
  const ring = createThreadRing(settings.masterKeys, settings.keySource);
  const sealer = createSecretSealer(ring);
  const tell = createTellAlarms((fields, message) => say({ level: 'warn', fields, message }));
  const unreadable = createTellUnreadable(store.conditions, clock, tell);
  const refusedRows = createRefusedRows(store.conditions, clock, tell);
  const rowKey = await openRowKey(ownSecrets, sealer).catch(async (error: unknown) => {
    if (!isToPutBack(error) && !(error instanceof MasterKeyProblem)) throw error;
    await tellLost(store.conditions, error, clock(), tell);
    throw new NothingAuthentic(error.message);
  });
  store.rowMacs.setKey(rowKey, refusedRows.refused);
  const identityVault = createIdentityVault(ring);
  const openIdentities = createOpenIdentities(identityVault.open);
  const secrets = createSecretHolder(store.conditions, clock, tell);
  const hashKey = await secrets.hold(() => loadOwnSecret(ownSecrets, sealer, 'overwrite hashes'));
  const digestKeys = await secrets.hold(
    () =>
      loadDigestKeys(store, sealer, clock(), ({ name, sealed }) =>
        unreadable(`the own secret "${name}"`, sealedUnderId(sealed)),
      ),
    (keys) => keys.refresh(),
  );
  const backoff = createBackoff(settings.retryDelayMs, Math.random);
  const restarts = createRestartBudget();
  const connectors = createConnectorsInUse((target) =>
    connect(target, {
      hash: (value) => createOverwriteHash(hashKey.get(), target.name)(value),
      restarts,
      domain: settings.chores.domain,
    }).then((made) => observeConnector(target.name, made, observe)),
  );
  const gate = createGate(clock, createTellOutside(store.conditions, clock, tell));
  const targets = new Map(settings.targets.map((target) => [target.name, target]));
  const report = createQueueReport(say);
  const guard = createStartGuard({
    restores: store.restores,
    clock,
    dataDir: settings.chores.dataDir,
    signedHead: await createSignedHead(store, ring, clock()),
    rememberRequestsMs: settings.rememberRequestsMs,
    waitMs: settings.waitBeforeStartsMs,
    lookMs: settings.intervals.restores,
    warn: (fields, message) => say({ level: 'warn', fields, message }),
  });
  const startDue = createStartDue({
    store: {
      ...fulfilment,
      dueRequests: (...query) => guard.unlessCancelled(() => fulfilment.dueRequests(...query)),
    },
    plan: createPlanRequest(settings.targets),
    openIdentities,
    digest: (controllerId, identity) => digestKeys.get().digest(controllerId, identity),
    digestAcross: (controllerId, identity) => digestKeys.get().digestAcross(controllerId, identity),
    clock,
    cancellationWindowMs: settings.cancellationWindowMs,
    maxStartsPerDay: settings.maxStartsPerDay,
  });

  async function startIfPossible(): ReturnType<typeof startDue> {
    await hashKey.newest();
    // Without digests it could not be answered later whether a person was erased.
    const mayStart = (await digestKeys.newest()) !== undefined && (await guard.mayStart());
    return mayStart ? startDue() : { started: 0, more: false };
  }

  const queue = parts.createQueue({
    store: fulfilment,
    targets,
    startDue: startIfPossible,
    runBatch: observeBatches(
      createRunBatch({
        store: fulfilment,
        clock,
        backoff,
        targetNamed: (name) => targets.get(name),
        allTargets: () => [...targets.values()],
        connectorOf: connectors.connectorOf,
        release: connectors.release,
        gate,
        openIdentities,
        sealIdentities: identityVault.seal,
        openVia: identityVault.openVia,
        keysVault: createKeysVault(ring),
        digestAcross: (controllerId, identity) =>
          digestKeys.find()?.digestAcross(controllerId, identity) ?? [],
        digestAll: (controllerId, identity) =>
          digestKeys.find()?.digestAll(controllerId, identity) ?? [],
      }),
      observe,
    ),
    chores: [
      ...(await createChores({
        store,
        settings: settings.chores,
        masterKeys: ring,
        clock,
        say,
        writeDownHead: guard.look,
        uptime: parts.uptime,
      })),
      createGateChore({
        store: fulfilment,
        targets: settings.targets,
        gate,
        connectorOf: connectors.connectorOf,
        release: connectors.release,
        probeDelay: backoff.probe,
        onRefused: report.targetDown,
      }),
    ],
    // Its copy of the master key file may be late after a rotation.
    async mayWork() {
      const needed = neededOf(await store.masterKeys.masterKeys());
      return needed.every((id) => ring.byId(id) !== undefined);
    },
    probeDelay: backoff.probe,
    clock,
    worker,
    report,
    intervals: settings.intervals,
  });
  return {
    async run(idleMs) {
      await queue.run(idleMs);
      await refusedRows.told();
      await connectors.close();
    },
    stop: queue.stop,
  };
}

function createQueueReport(say: WorkParts['say']): QueueReport {
  return {
    trouble: (what, error) =>
      say({ level: 'error', fields: { reason: nameOf(error) }, message: `error while ${what}` }),
    targetDown: (target, code, detail) =>
      say({
        level: 'warn',
        fields: { target, code, detail },
        message: 'a target cannot be used; it is tried again later',
      }),
    targetBack: (target) =>
      say({ level: 'info', fields: { target }, message: 'a target can be used again' }),
  };
}

/** Only the name: messages of other code may quote data. */
function nameOf(error: unknown): string {
  if (error instanceof QueueIncomplete) return error.message;
  const { errstr, code, name } = error as { errstr?: string; code?: unknown; name?: string };
  return errstr ?? (typeof code === 'string' ? code : name) ?? 'unknown';
}
