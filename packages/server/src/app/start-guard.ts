// What a worker asks before it starts requests: whether the store was restored, and whether one of them was cancelled.
import { hostname } from 'node:os';
import type { Clock } from '../domain/clock.ts';
import type { RequestKey } from '../domain/request/request.ts';
import { keyText } from '../domain/request/same-request.ts';
import { contradictsStart, SYSTEM, timeForList } from '../domain/store/restore.ts';
import type { RestoreStore } from '../domain/store/restore-ports.ts';
import { createCancelledHere } from '../restore/cancelled-here.ts';
import { createHeadFile } from '../restore/head-file.ts';
import { createStoreWatch, type SignedHead } from '../restore/watch-store.ts';

/** Other nodes get this many comparisons before anything starts. */
export const LOOKS = 5;

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
      const reason = `${hostname()} has answered cancellations of requests that are about to start: ${new Set(lost.map(keyText)).size}`;
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
