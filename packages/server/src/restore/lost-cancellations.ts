// Cancellations that this node has answered with 202, and that the store does not know.
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../domain/clock.ts';
import type { RequestKey, RequestState } from '../domain/request/request.ts';
import { contradicts, type Happened, type Restore } from '../domain/store/restore.ts';
import { readCancellations } from './cancellation-file.ts';

/** Between a transaction's time and its commit, and between two nodes. */
const MARGIN_MS = 120_000;

export interface LostCancellations {
  /** Since then. Answers the names of files that are damaged. */
  each(
    since: number,
    restores: readonly Restore[],
    take: (some: readonly Happened[]) => Promise<void>,
  ): Promise<readonly string[]>;
  /** Files that are damaged are put aside: an operator has confirmed. */
  settle(): Promise<void>;
}

export interface LostCancellationsParts {
  readonly dataDir: string;
  readonly read: (
    key: RequestKey,
  ) => Promise<Pick<RequestState, 'status' | 'receivedTime'> | undefined>;
  readonly clock: Clock;
  /** What is older may be forgotten by the store. */
  readonly keepMs: number;
}

export function createLostCancellations(parts: LostCancellationsParts): LostCancellations {
  const { dataDir, read, clock, keepMs } = parts;
  return {
    each(since, restores, take) {
      const from = Math.max(since - MARGIN_MS, clock() - keepMs);
      return readCancellations(dataDir, from, async (some) => {
        const states = await Promise.all(some.map((it) => read(it)));
        const lost = some.filter((it, at) => contradicts(it, states[at], restores));
        if (lost.length > 0) await take(lost);
      });
    },
    async settle() {
      const damaged = await readCancellations(dataDir, 0, async () => undefined);
      for (const name of damaged) {
        renameSync(join(dataDir, name), join(dataDir, `${name}.damaged`));
      }
    },
  };
}
