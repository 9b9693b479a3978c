import type { DatabaseSync } from 'node:sqlite';
import { NOT_PAUSED } from './brakes.ts';

const OPEN = `state IN ('waiting', 'failed') AND due_time IS NOT NULL`;

/** From one target to the next through the index: a hundred thousand waiting tasks cost nothing. */
export function prepareTargetsWithWork(database: DatabaseSync) {
  const select = database.prepare(`
    WITH RECURSIVE waiting (target) AS (
      SELECT min(target) FROM tasks WHERE ${OPEN}
      UNION ALL
      SELECT (SELECT min(target) FROM tasks WHERE ${OPEN} AND target > waiting.target)
      FROM waiting WHERE waiting.target IS NOT NULL
    )
    SELECT target FROM waiting
    WHERE target IS NOT NULL AND ${NOT_PAUSED} AND EXISTS (
      SELECT 1 FROM tasks
      WHERE ${OPEN} AND tasks.target = waiting.target
        AND phase IN ('resolve', 'erase') AND due_time <= ?1
    )
    UNION
    SELECT target FROM batches WHERE lease_until < ?1 AND ${NOT_PAUSED}
  `);
  return (now: number): string[] =>
    (select.all(now) as { target: string }[]).map(({ target }) => target);
}

/**
 * Whether a worker would find anything to do; asked every second while there is none, so it must cost
 * nothing. A batch that is there then is a dead worker's, whatever its lease says.
 */
export function prepareHasWork(database: DatabaseSync) {
  const targetsWithWork = prepareTargetsWithWork(database);
  const anyDue = database.prepare(`
    SELECT EXISTS (SELECT 1 FROM requests WHERE status = 'pending' AND received_time <= ?)
        OR EXISTS (SELECT 1 FROM requests WHERE status = 'pending' AND start_asked_by IS NOT NULL)
        OR EXISTS (SELECT 1 FROM requests WHERE status = 'in_progress' AND plan_id IS NULL)
        OR EXISTS (SELECT 1 FROM batches WHERE ${NOT_PAUSED}) AS due
  `);
  return (receivedBefore: number, now: number): boolean =>
    anyDue.get(receivedBefore)?.due === 1 || targetsWithWork(now).length > 0;
}
