import type { Actor } from '../../../domain/task/operator-ports.ts';
import type { Sql } from '../../sql.ts';

/** Who asked for the open runs of a completed request; null if it has none. */
export async function readAskedAgain(sql: Sql, requestNo: number): Promise<Actor | null> {
  const row = await sql.get<Actor>(
    `SELECT asked_by AS actor, asked_time AS now FROM @tasks JOIN @requests USING (request_no)
     WHERE request_no = :requestNo AND status = 'completed' AND state <> 'erased'
       AND asked_time IS NOT NULL
     ORDER BY task_no LIMIT 1`,
    { requestNo },
  );
  return row ?? null;
}

/** For the audit row that grants the runs: see domain/request/granted-runs.ts. */
export const grantOf = (again: readonly string[], isAsked: boolean) =>
  isAsked ? { again_asked: again } : { again };
