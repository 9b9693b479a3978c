// Failed logins, counted across all nodes. Only digests are stored: not whose login failed, nor from where.
import type { Clock } from '../../domain/clock.ts';
import { createCoalescer } from '../coalesce.ts';
import type { Database } from './database.ts';

export interface CountedFailures {
  readonly count: number;
  /** How long ago the first failure was. */
  readonly ageMs: number;
}

interface Row {
  readonly key: Buffer;
  readonly count: number;
  readonly since: number;
}

const MAX_AT_ONCE = 256;

/** Counts one more failure for each key, and returns how many there were within the window. */
export type CountFailures = (keys: readonly Buffer[]) => Promise<CountedFailures[]>;

export function createCountFailures(
  database: Database,
  windowMs: number,
  clock: Clock,
): CountFailures {
  async function countAll(keys: Buffer[]): Promise<CountedFailures[]> {
    const now = clock();
    const added = new Map<string, { readonly key: Buffer; times: number }>();
    for (const key of keys) {
      const entry = added.get(key.toString('latin1')) ?? { key, times: 0 };
      entry.times++;
      added.set(key.toString('latin1'), entry);
    }
    // In the same order on all nodes, to avoid deadlocks.
    const sorted = [...added.values()].sort((one, other) => Buffer.compare(one.key, other.key));
    const rows = await database.all<Row>(
      `INSERT INTO @login_failures AS f (key, since_time, count)
       SELECT key, :now, times FROM unnest(:keys::bytea[], :times::int[]) AS added (key, times)
       ON CONFLICT (key) DO UPDATE SET
         count = CASE WHEN f.since_time <= :now - :windowMs::bigint THEN excluded.count
                      ELSE f.count + excluded.count END,
         since_time = CASE WHEN f.since_time <= :now - :windowMs::bigint THEN :now ELSE f.since_time END
       RETURNING key, count, since_time AS since`,
      {
        keys: sorted.map(({ key }) => key),
        times: sorted.map(({ times }) => times),
        now,
        windowMs,
      },
    );
    const counted = new Map(rows.map((row) => [row.key.toString('latin1'), row]));
    return keys.map((key) => {
      const row = counted.get(key.toString('latin1'));
      return { count: row?.count ?? 1, ageMs: Math.max(0, now - (row?.since ?? now)) };
    });
  }

  const coalescer = createCoalescer<Buffer, CountedFailures>({
    run: countAll,
    maxBatch: MAX_AT_ONCE,
    maxInFlight: 1,
    maxWaiting: 10_000,
  });
  return (keys) => Promise.all(keys.map((key) => coalescer.submit(key)));
}

/** Called now and then: failures older than the window no longer count. */
export async function forgetFailures(database: Database, until: number): Promise<void> {
  await database.run('DELETE FROM @login_failures WHERE since_time < :until', { until });
}
