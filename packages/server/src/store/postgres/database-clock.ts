// The database's clock, which all nodes share: due times, leases and deadlines are measured by it, not by a
// node's own clock. A query for every statement would cost a round trip, so the time is queried now and
// then and continued by a monotonic clock. After this process was suspended that clock is behind, never
// ahead: nothing becomes due, and no lease ends, too early.
import type { Clock } from '../../domain/clock.ts';
import type { Database } from './database.ts';

const ASK_MS = 10_000;

export interface DatabaseClock {
  readonly now: Clock;
  close(): void;
}

export async function startDatabaseClock(
  database: Pick<Database, 'get'>,
  steady: Clock = () => performance.now(),
): Promise<DatabaseClock> {
  let ahead = 0;

  async function ask(): Promise<void> {
    const row = await database.get<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
    );
    // By the time it arrives the answer is slightly old, so our time is again behind, never ahead.
    if (row !== undefined) ahead = row.now - steady();
  }

  await ask();
  const timer = setInterval(() => {
    // While the database is unreachable, the last known time is continued.
    ask().catch(() => undefined);
  }, ASK_MS).unref();
  return { now: () => Math.floor(steady() + ahead), close: () => clearInterval(timer) };
}
