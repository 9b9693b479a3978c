import type { Database } from '../../../src/store/postgres/database.ts';

/** Resolves when a statement about this store waits for a lock. */
export async function untilSomebodyWaits(database: Database): Promise<void> {
  for (;;) {
    const row = await database.get<{ count: number }>(
      `SELECT count(*) AS count FROM pg_stat_activity
       WHERE wait_event_type = 'Lock' AND query LIKE $1`,
      [`%${database.schema}%`],
    );
    if ((row?.count ?? 0) > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
