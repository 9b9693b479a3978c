// Composes the detection of a restored store: the files that every node keeps, and the comparison with the
// store.
import { hostname } from 'node:os';
import { lastWitnessed } from '../audit/witness/witness-file.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../domain/clock.ts';
import type { RequestKey } from '../domain/request/request.ts';
import type { Happened } from '../domain/store/restore.ts';
import type { ServingStore, Store } from '../domain/store/store.ts';
import { DAY_MS, HOUR_MS } from '../domain/time-units.ts';
import { createCancellationLog } from '../restore/cancellation-log.ts';
import { createCancelledHere } from '../restore/cancelled-here.ts';
import { createFollowCancellations } from '../restore/follow-cancellations.ts';
import { createHeadFile } from '../restore/head-file.ts';
import { createLogRead } from '../restore/log-read.ts';
import {
  createLostCancellations,
  type LostCancellations,
  type LostCancellationsParts,
} from '../restore/lost-cancellations.ts';
import {
  createStoreWatch,
  findReasons,
  type StoreWatch,
  type StoreWatchParts,
} from '../restore/watch-store.ts';
import type { CopySource } from '../store/copy/open-source.ts';
import { createFewLines } from '../telemetry/few-lines.ts';
import { reasonOf } from '../telemetry/http-log.ts';
import type { Log } from '../telemetry/log.ts';
import type { MasterKeyRing } from '../vault/master-key.ts';
import { createSignedHead, type SignedHeadStore } from './proof/signed-heads.ts';
import { LOOKS } from './start-guard.ts';

const NOT_FOLLOWED =
  'the cancellations in the audit log could not be compared with the files of this node; trying again every second: until that works, one that someone else removes from the log may not be noticed';

const NOT_WITNESSED =
  'audit.witness_file has no head that can be read: if the data folder was restored together with the store, this start cannot notice it. If the file is not new, check that its folder is mounted and that it can be read';

type Retention = Pick<Config, 'retentionBackups' | 'retentionRecords'>;

/** As long as a backup may be restored, which may have requests that the store has forgotten since. */
export function keepCancellationsMs({ retentionBackups }: Retention): number {
  return Math.max(retentionBackups * 1000, DAY_MS);
}

/** A request that was cancelled longer ago may be missing in the store because it was forgotten. */
export function rememberRequestsMs(config: Retention): number {
  return Math.min(keepCancellationsMs(config), config.retentionRecords * 1000) - HOUR_MS;
}

function lostCancellationsOf(
  { dataDir }: Pick<Config, 'dataDir'>,
  config: () => Config,
  read: LostCancellationsParts['read'],
  clock: Clock,
): LostCancellations {
  return createLostCancellations({
    dataDir,
    read,
    clock,
    periods: () => ({
      cancellationWindowMs: config().cancellationWindow * 1000,
      keepMs: keepCancellationsMs(config()),
      rememberMs: rememberRequestsMs(config()),
    }),
  });
}

function witnessedOf({ auditWitnessFile }: Config): Pick<StoreWatchParts, 'witnessed'> {
  return auditWitnessFile === undefined ? {} : { witnessed: () => lastWitnessed(auditWitnessFile) };
}

export interface StoreGuard {
  /** The same store, but a cancellation is answered only after it is also synced to a file outside it. */
  readonly requests: ServingStore;
  /** Starts comparing every second. */
  follow(): void;
  /** Why cancellations cannot be answered now. */
  troubles(): Promise<string[]>;
  /** How long a worker starts nothing, so that other nodes can compare first. */
  readonly waitMs: number;
  /** Compares once more, after the last head was sealed. */
  close(): Promise<void>;
}

export interface StoreGuardParts {
  readonly config: Config;
  /** The settings in force. */
  readonly current: () => Config;
  readonly store: Pick<Store, 'restores' | 'nodes' | 'clock' | 'loggedStatus'> & SignedHeadStore;
  readonly masterKeys: MasterKeyRing;
  readonly requests: ServingStore;
  /** Throws if the file of the store is damaged. */
  readonly requireWhole: () => void;
  readonly log: Log;
  readonly lookMs: number;
}

/** Compares before anything is served. */
export async function guardStore(parts: StoreGuardParts): Promise<StoreGuard> {
  const { config, current, store, masterKeys, requests, log, lookMs } = parts;
  const { clock, restores } = store;
  const headFile = createHeadFile(config.dataDir);
  const isNew = headFile.read().heads.length === 0 && (await restores.state()).headNo !== null;
  const signedHead = await createSignedHead(store, masterKeys, store.clock());
  const watch = createStoreWatch({
    restores,
    headFile,
    clock,
    node: hostname(),
    signedHead,
    cancellations: lostCancellationsOf(config, current, requests.read, clock),
    ...witnessedOf(config),
    warn: (fields, message) => log.warn(fields, message),
  });
  const logRead = createLogRead(config.dataDir);
  const heads = headFile.read().heads.map(({ headNo }) => headNo);
  if (!(await watch.lookClosely())) parts.requireWhole();
  const { witnessed } = witnessedOf(config);
  if (
    witnessed !== undefined &&
    witnessed() === undefined &&
    (await restores.state()).headNo !== null
  )
    log.warn({ file: config.auditWitnessFile }, NOT_WITNESSED);
  const keepMs = () => keepCancellationsMs(current());
  const cancellations = createCancellationLog(config.dataDir, clock, keepMs);
  // Also where there are no other nodes: a cancellation that was committed just before a crash is in no file yet.
  const logged = createFollowCancellations({
    restores,
    signedHead,
    cancellations,
    clock,
    cancelledHere: createCancelledHere(config.dataDir),
    keepMs,
    readRequest: async (key) => {
      const state = await requests.read(key);
      if (state === undefined) return undefined;
      const { receivedTime } = state;
      return { receivedTime, status: await store.loggedStatus(key, state) };
    },
    node: hostname(),
    hasOthers: store.nodes !== null,
    fromHeadNo: logRead.isDone() ? Math.max(0, ...heads) : 0,
    hasRead: logRead.done,
    warn: (fields, message) => log.warn(fields, message),
  });
  const sayFailed = createFewLines(log, 1);
  let following: NodeJS.Timeout | undefined;
  let newest: Happened | undefined;

  let isFollowing = false;

  /** Not awaited: reading a long log must not delay the comparison. What fails is repeated at the next look. */
  async function followLogged(): Promise<void> {
    if (isFollowing) return;
    isFollowing = true;
    try {
      await logged.look();
    } catch (error) {
      sayFailed('warn', { reason: reasonOf(error) }, NOT_FOLLOWED);
    }
    isFollowing = false;
  }
  const firstLook = followLogged();
  // A node that was off reads what is new. On a new one this may be a log of years.
  if (logRead.isDone()) await firstLook;

  /** A restore loses the newest data first, so reading the newest head is enough. */
  async function look(): Promise<boolean> {
    // Retries writes that failed.
    await cancellations.ready().catch(() => undefined);
    if (newest !== undefined && (await requests.read(newest))?.status !== 'cancelled') {
      newest = undefined;
      return watch.lookClosely();
    }
    const isFine = await watch.look();
    void followLogged();
    return isFine;
  }
  return {
    requests: {
      ...requests,
      async cancel(command) {
        await cancellations.ready();
        const result = await requests.cancel(command);
        if (result.outcome !== 'cancelled') return result;
        const { receivedTime: time, subjectRequestId, requestTime } = result;
        const named = { controllerId: command.controllerId, subjectRequestId };
        const known = { requestTime, lastRestoreNo: watch.lastRestoreNo() };
        const cancelled = { what: 'cancelled', time, ...named, ...known } as const;
        await cancellations.add(cancelled);
        newest = cancelled;
        logged.answered(cancelled);
        return result;
      },
    },
    follow() {
      following = followStore({ ...watch, look }, lookMs, log);
    },
    troubles: () =>
      cancellations.ready().then(
        () => [],
        () => ['the data folder is not writable: cancels cannot be stored'],
      ),
    waitMs: store.nodes !== null && isNew ? LOOKS * lookMs : 0,
    async close() {
      clearInterval(following);
      await cancellations.close();
      await watch.look().catch(() => undefined);
    },
  };
}

/** A store that was unavailable may be another one when it is back. */
function followStore(watch: StoreWatch, lookMs: number, log: Log): NodeJS.Timeout {
  let wasAway = false;
  let isLooking = false;
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      await (wasAway ? watch.lookClosely() : watch.look());
      wasAway = false;
    } catch (error) {
      if (!wasAway)
        log.warn({ reason: reasonOf(error) }, 'the store could not be compared; trying again');
      wasAway = true;
    } finally {
      isLooking = false;
    }
  }
  return setInterval(() => void look(), lookMs).unref();
}

/** For the command line, which may be the first process to compare. */
export async function createCommandWatch(
  store: Pick<Store, 'restores' | 'clock' | 'catalogue'> & SignedHeadStore,
  masterKeys: MasterKeyRing,
  config: Config,
): Promise<StoreWatch> {
  const { restores, clock, catalogue } = store;
  const read: ServingStore['read'] = async ({ controllerId, subjectRequestId }) =>
    (await catalogue.find(subjectRequestId, controllerId))[0];
  return createStoreWatch({
    restores,
    clock,
    node: hostname(),
    headFile: createHeadFile(config.dataDir),
    signedHead: await createSignedHead(store, masterKeys, store.clock()),
    cancellations: lostCancellationsOf(config, () => config, read, clock),
    ...witnessedOf(config),
    warn: () => undefined,
  });
}

/**
 * Called before a store is copied: its files stay behind, and no node of the copy would compare them. Returns what
 * they know and the store lacks.
 */
export async function lostBeforeCopy(
  { dataDir, known }: Pick<CopySource, 'dataDir' | 'known'>,
  config: Config,
  clock: Clock,
): Promise<string[]> {
  const read = async (key: RequestKey) => known.request(key);
  const compared = {
    node: hostname(),
    headFile: createHeadFile(dataDir),
    ...witnessedOf(config),
    restores: { head: async (headNo: number) => known.head(headNo) },
    cancellations: lostCancellationsOf({ dataDir }, () => config, read, clock),
  };
  // Open restores and pauses by the system are copied with the rest.
  const state = { openNo: null, isPausedBySystem: false };
  return findReasons(compared, state, known.restores(), true);
}
