import type { ForgettingStore } from '../../../domain/request/forgetting-ports.ts';
import type { Sql } from '../../sql.ts';

/** Searches by number, newest first, so that a head with a wrong time does not affect the heads before it. */
export async function headsAround(
  sql: Sql,
  time: number,
): ReturnType<ForgettingStore['headsAround']> {
  const before = await sql.get<{ headNo: number; time: number }>(
    `SELECT head_no AS "headNo", time FROM @audit_heads
     WHERE time <= :time ORDER BY head_no DESC LIMIT 1`,
    { time },
  );
  const after = await sql.get<{ time: number | null }>(
    'SELECT min(time) AS time FROM @audit_heads WHERE head_no > :headNo',
    { headNo: before?.headNo ?? 0 },
  );
  return { before: before?.time ?? null, after: after?.time ?? null };
}
