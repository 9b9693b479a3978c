// Whether the audit log has the end of every task that the request was to have. The states of its tasks are not
// trusted, because someone else may have written them.
import { type GrantingRow, grantedTargets, readRunLog } from './granted-runs.ts';

/** Completion does not wait for runs that were asked for after it. */
const UNTIL_COMPLETION = { eraseAgain: false };

/** Why the request must not be completed; undefined if it may. */
export function completionProblem(rows: readonly GrantingRow[]): string | undefined {
  if (!rows.some(({ action }) => action === 'request.started')) return 'it was never started';
  const { ended, granted } = readRunLog(rows);
  const open = grantedTargets(rows).find(
    (target) => ended(target).size < granted(target, UNTIL_COMPLETION),
  );
  return open === undefined ? undefined : `by the log, a task of ${open} has not ended`;
}

export function hasEnded(
  { taskNo, target }: { readonly taskNo: number; readonly target: string },
  rows: readonly GrantingRow[],
): boolean {
  return readRunLog(rows).ended(target).has(taskNo);
}
