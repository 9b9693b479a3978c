// Composes the detection of a restored store: the files that every node keeps, and the comparison with the
// store.
import { hostname } from 'node:os';
import { lastWitnessed } from '../audit/witness/witness-file.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../domain/clock.ts';
import type { RequestKey } from '../domain/request/request.ts';
import { contradictsStart, type Happened, SYSTEM, timeForList } from '../domain/store/restore.ts';
import type { RestoreStore } from '../domain/store/restore-ports.ts';
import type { ServingStore, Store } from '../domain/store/store.ts';
import { DAY_MS, HOUR_MS } from '../domain/time-units.ts';
import { createCancellationLog } from '../restore/cancellation-log.ts';
import { createCancelledHere } from '../restore/cancelled-here.ts';
import { createHeadFile } from '../restore/head-file.ts';
import {
  createLostCancellations,
  type LostCancellations,
  type LostCancellationsParts,
} from '../restore/lost-cancellations.ts';
import {
  createStoreWatch,
  findReasons,
  type SignedHead,
  type StoreWatch,
} from '../restore/watch-store.ts';
import type { CopySource } from '../store/copy/open-source.ts';
import { reasonOf } from '../telemetry/http-log.ts';
import type { Log } from '../telemetry/log.ts';
import type { MasterKeyRing } from '../vault/master-key.ts';
import { createSignedHead, type SignedHeadStore } from './signed-heads.ts';

/** Other nodes get this many comparisons before anything starts. */
const LOOKS = 5;

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
  config: Config,
  read: LostCancellationsParts['read'],
  clock: Clock,
): LostCancellations {
  const { dataDir } = config;
  const cancellationWindowMs = config.cancellationWindow * 1000;
  return createLostCancellations({
    dataDir,
    read,
    clock,
    cancellationWindowMs,
    keepMs: keepCancellationsMs(config),
    rememberMs: rememberRequestsMs(config),
  });
}

function witnessedOf({ auditWitnessFile }: Config) {
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
  readonly store: Pick<Store, 'restores' | 'nodes' | 'clock'> & SignedHeadStore;
  readonly masterKeys: MasterKeyRing;
  readonly requests: ServingStore;
  /** Throws if the file of the store is damaged. */
  readonly requireWhole: () => void;
  readonly log: Log;
  readonly lookMs: number;
}

/** Compares before anything is served. */
export async function guardStore(parts: StoreGuardParts): Promise<StoreGuard> {
  const { config, store, masterKeys, requests, log, lookMs } = parts;
  const { clock, restores } = store;
  const headFile = createHeadFile(config.dataDir);
  const isNew = headFile.read().heads.length === 0 && (await restores.state()).headNo !== null;
  const watch = createStoreWatch({
    restores,
    headFile,
    clock,
    node: hostname(),
    signedHead: await createSignedHead(store, masterKeys, store.clock()),
    cancellations: lostCancellationsOf(config, requests.read, clock),
    ...witnessedOf(config),
    warn: (fields, message) => log.warn(fields, message),
  });
  if (!(await watch.lookClosely())) parts.requireWhole();
  const cancellations = createCancellationLog(config.dataDir, clock, keepCancellationsMs(config));
  let following: NodeJS.Timeout | undefined;
  let newest: Happened | undefined;

  /** A restore loses the newest data first, so reading the newest head is enough. */
  async function look(): Promise<boolean> {
    // Retries writes that failed.
    await cancellations.ready().catch(() => undefined);
    if (newest !== undefined && (await requests.read(newest))?.status !== 'cancelled') {
      newest = undefined;
      return watch.lookClosely();
    }
    return watch.look();
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

export interface StartGuardParts {
  readonly restores: RestoreStore;
  readonly signedHead: SignedHead;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly rememberRequestsMs: number;
  readonly waitMs: number;
  readonly lookMs: number;
  readonly warn: (fields: object, message: string) => void;
}

export interface StartGuard {
  /** Whether anything may start. Called in the worker's thread before each sweep. */
  mayStart(): Promise<boolean>;
  /** Compares the heads, and records the newest. */
  look(): Promise<boolean>;
  /** The requests that are about to start; none of them if this node answered the cancellation of one. */
  unlessCancelled<T extends RequestKey & { readonly receivedTime: number }>(
    readDue: () => Promise<T[]>,
  ): Promise<T[]>;
}

/** After the store was unavailable or a restore was confirmed, a worker gives the other nodes time to compare. */
export function createStartGuard(parts: StartGuardParts): StartGuard {
  const { restores, signedHead, dataDir, clock, waitMs, lookMs, warn } = parts;
  const headFile = createHeadFile(dataDir);
  const watch = createStoreWatch({
    restores,
    signedHead,
    headFile,
    clock,
    warn,
    node: hostname(),
  });
  const cancelledHere = createCancelledHere(dataDir);
  let waitUntil = performance.now() + waitMs;
  return {
    look: watch.look,
    async unlessCancelled(readDue) {
      const due = await readDue();
      const known = await cancelledHere(due);
      if (known.length === 0) return due;
      // A request may have been cancelled after it was read: the store has a cancellation before the file does.
      const still = new Map((await readDue()).map((one) => [keyText(one), one]));
      const all = await restores.restores();
      const forgottenBefore = clock() - parts.rememberRequestsMs;
      const lost = known.flatMap((one) => {
        const found = still.get(keyText(one));
        if (found === undefined || !contradictsStart(one, found, all, forgottenBefore)) return [];
        return [{ ...one, time: timeForList(one, found, all) }];
      });
      if (lost.length === 0) return due;
      const reason = `${hostname()} has answered cancellations of requests that are about to start: ${lost.length}`;
      await restores.declare(reason, { actor: SYSTEM, now: clock() });
      await restores.addFindings(lost.map((one) => ({ ...one, source: hostname() })));
      warn(
        { reason },
        'requests that were cancelled are about to start; nothing starts until "unwrite restored review" and "unwrite restored confirm"',
      );
      return [];
    },
    async mayStart() {
      let isFine = false;
      try {
        isFine = await watch.look();
        return isFine && performance.now() >= waitUntil;
      } finally {
        if (!isFine) waitUntil = performance.now() + LOOKS * lookMs;
      }
    },
  };
}

const keyText = ({ controllerId, subjectRequestId }: RequestKey) =>
  `${controllerId} ${subjectRequestId.toLowerCase()}`;

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
    cancellations: lostCancellationsOf(config, read, clock),
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
    cancellations: lostCancellationsOf({ ...config, dataDir }, read, clock),
  };
  // Open restores and pauses by the system are copied with the rest.
  const state = { openNo: null, isPausedBySystem: false };
  return findReasons(compared, state, known.restores(), true);
}
