// Held and failed tasks, oldest request first. With a filter, it decides before the limit: many tasks to do by hand do
// not hide a newer hold.
import type { AttentionQuery, ReasonFilter } from '../../../domain/task/operator-ports.ts';
import type { Sql, Values } from '../../sql.ts';
import { OPEN_TASKS } from '../tasks/attention.ts';

export const STUCK_STATES = ['held', 'failed'] as const;
type StuckState = (typeof STUCK_STATES)[number];

/** No more than so many are looked at for those that the filter lets through. */
const MAX_SCANNED = 20_000;

/** In the exact form of the indexes that have this order. */
function conditionOf(state: StuckState, { controllerId }: AttentionQuery): string {
  const ofController = controllerId === undefined ? '' : 'AND owner_id = :controllerId';
  return `state = '${state}' AND state IN ('held', 'failed') ${ofController}`;
}

export const stuckTasks = (state: StuckState) => (query: AttentionQuery) => {
  const where = conditionOf(state, query);
  if (query.only === undefined) {
    return `${OPEN_TASKS} WHERE ${where} ORDER BY tasks.request_no LIMIT :max`;
  }
  return `${OPEN_TASKS} WHERE task_no IN (
      SELECT task_no FROM (
        SELECT task_no, request_no, target, coalesce(reason, state) AS reason FROM @tasks
        WHERE ${where} ORDER BY request_no LIMIT ${MAX_SCANNED}) AS scanned
      WHERE ${filterOf(state, query.only)} ORDER BY request_no LIMIT :max)
    ORDER BY tasks.request_no`;
};

function filterOf(state: StuckState, only: NonNullable<AttentionQuery['only']>): string {
  const ofTarget = only.target === undefined ? 'true' : 'target = :onlyTarget';
  const reasons: ReasonFilter | undefined = only[state];
  if (reasons === undefined) return ofTarget;
  const hasReason = `reason = ANY(:${state}Reasons::text[])`;
  return `${ofTarget} AND ${reasons.isIn ? hasReason : `NOT ${hasReason}`}`;
}

export function stuckValues({ only }: AttentionQuery): Values {
  return {
    onlyTarget: only?.target ?? null,
    heldReasons: only?.held?.reasons ?? [],
    failedReasons: only?.failed?.reasons ?? [],
  };
}

export async function wereAllScanned(
  sql: Sql,
  query: AttentionQuery,
  values: Values,
): Promise<boolean> {
  if (query.only === undefined) return true;
  for (const state of STUCK_STATES) {
    const next = await sql.get<{ more: number }>(
      `SELECT 1 AS more FROM @tasks WHERE ${conditionOf(state, query)}
       ORDER BY request_no LIMIT 1 OFFSET ${MAX_SCANNED}`,
      values,
    );
    if (next !== undefined) return false;
  }
  return true;
}
