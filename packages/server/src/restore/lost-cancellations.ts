// Cancellations that this node has answered with 202 and that the store does not have.
import { join } from 'node:path';
import type { Clock } from '../domain/clock.ts';
import type { RequestKey, RequestState } from '../domain/request/request.ts';
import { contradicts, type Happened, type Restore, timeForList } from '../domain/store/restore.ts';
import { DAY_MS } from '../domain/time-units.ts';
import { cancellationFilesIn, readCancellations } from './cancellation-file.ts';
import { setAsideDamaged } from './set-aside-damaged.ts';

export interface LostCancellations {
  /**
   * `recent`: only those whose requests could still be about to start. The time of the newest head does not decide alone,
   * because the clock may have been wrong. Returns the names of damaged files.
   */
  each(
    which: 'all' | 'recent',
    restores: readonly Restore[],
    take: (some: readonly Happened[]) => Promise<void>,
  ): Promise<readonly string[]>;
  /** Renames damaged files after an operator has confirmed. */
  settle(): Promise<void>;
}

export interface LostCancellationsParts {
  readonly dataDir: string;
  readonly read: (
    key: RequestKey,
  ) => Promise<Pick<RequestState, 'status' | 'receivedTime'> | undefined>;
  readonly clock: Clock;
  /** Asked each time, because settings may change. */
  readonly periods: () => CancellationPeriods;
}

export interface CancellationPeriods {
  /** Older ones are not looked at: no backup of that time is restored. */
  readonly keepMs: number;
  /** The store may have forgotten requests that were cancelled longer ago. */
  readonly rememberMs: number;
  readonly cancellationWindowMs: number;
}

export function createLostCancellations(parts: LostCancellationsParts): LostCancellations {
  const { dataDir, read, clock, periods } = parts;

  /** Taken from the files if the clock is ahead of all of them. */
  function today(): number {
    const days = cancellationFilesIn(dataDir).map(({ day }) => day + DAY_MS);
    return Math.min(clock(), Math.max(...days));
  }

  return {
    async each(which, restores, take) {
      const { keepMs, rememberMs, cancellationWindowMs } = periods();
      const now = today();
      const from = now - keepMs;
      const forgottenBefore = clock() - rememberMs;
      const days = which === 'all' ? from : Math.max(from, now - cancellationWindowMs - DAY_MS);
      async function compare(some: readonly Happened[]): Promise<void> {
        const states = await Promise.all(some.map((it) => read(it)));
        const lost = some.flatMap((it, at) => {
          if (!contradicts(it, states[at], restores, forgottenBefore)) return [];
          return [{ ...it, time: timeForList(it, states[at], restores) }];
        });
        if (lost.length > 0) await take(lost);
      }
      return readCancellations(dataDir, from, compare, days);
    },
    async settle() {
      const damaged = await readCancellations(dataDir, 0, async () => undefined);
      for (const name of damaged) setAsideDamaged(join(dataDir, name));
    },
  };
}
