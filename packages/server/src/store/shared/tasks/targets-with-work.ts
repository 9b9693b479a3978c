import type { Sql } from '../../sql.ts';
import { IN_DUE_STATE } from './due-controllers.ts';
import { NOT_PAUSED } from './pauses.ts';

/** In the form in which the indexes of due tasks have it. */
export const HAS_DUE_TIME = `${IN_DUE_STATE} AND due_time IS NOT NULL`;

/** Jumps from one target to the next in the index: a hundred thousand waiting tasks cost nothing. */
const WAITING = `
  WITH RECURSIVE waiting (target) AS (
    SELECT min(target) FROM @tasks WHERE ${HAS_DUE_TIME}
    UNION ALL
    SELECT (SELECT min(target) FROM @tasks WHERE ${HAS_DUE_TIME} AND target > waiting.target)
    FROM waiting WHERE waiting.target IS NOT NULL
  )
  SELECT target FROM waiting WHERE target IS NOT NULL`;

export async function waitingTargets(sql: Sql): Promise<string[]> {
  const rows = await sql.all<{ target: string }>(WAITING);
  return rows.map(({ target }) => target);
}

export async function targetsWithWork(sql: Sql, now: number): Promise<string[]> {
  const rows = await sql.all<{ target: string }>(
    `${WAITING} AND ${NOT_PAUSED} AND EXISTS (
       SELECT 1 FROM @tasks
       WHERE ${HAS_DUE_TIME} AND tasks.target = waiting.target
         AND phase IN ('resolve', 'erase') AND due_time <= :now
     )
     UNION
     SELECT target FROM @batches WHERE lease_until < :now AND ${NOT_PAUSED}
     ORDER BY target`,
    { now },
  );
  return rows.map(({ target }) => target);
}
