// Whether a request may start, and a task be worked on, according to the audit log. States in the database are
// not trusted, because someone else may have written them. Rows of the log carry our MAC.
import { ENDS, isAskedAgain, isPlannedAnew, readRunLog, runDetail } from './granted-runs.ts';
import { isAddedSet, missingIdentities } from './logged-identities.ts';

/** An audit row about the request with a valid MAC. */
export interface LoggedRow {
  readonly time: number;
  readonly actor: string;
  readonly action: string;
  readonly detail: string | null;
}

export interface LoggedRequest {
  /** Controller, id, regulation, times and creator are the same as at the creation. */
  readonly isAsCreated: boolean;
  /** The log has the request under another number. */
  readonly isRenumbered: boolean;
  /** The log has forged or changed rows about the request: what the original rows said is unknown. */
  readonly hasForged: boolean;
  readonly receivedTime: number;
}

const CHANGED = 'it was changed after it was received';
const RENUMBERED = 'it had another number';
const FORGED = 'a row of the audit log about it was changed or is not ours';

interface StartedRequest extends LoggedRequest {
  /** Not started, according to the status column. */
  readonly isPending: boolean;
}

/**
 * Why the request must not start; undefined if it may. Rows under its number count regardless of their time: a
 * clock may have been set back, and a number is not reused while the log has it.
 */
export function startProblem(
  request: StartedRequest,
  all: readonly LoggedRow[],
): string | undefined {
  const has = (action: string) => all.some((row) => row.action === action);
  if (!request.isAsCreated) return CHANGED;
  if (request.hasForged) return FORGED;
  if (request.isRenumbered) return RENUMBERED;
  if (has('request.cancelled')) return 'it was cancelled';
  if (has('request.completed')) return 'it was completed';
  if (request.isPending && has('request.started')) return 'it was started before';
  if (!request.isPending && !has('request.started')) return 'it was never started';
  if (!request.isPending && !isPlannedAnew(all)) return 'it was planned before';
  return undefined;
}

/** Whether the log confirms that an operator asked to start before the end of the cancellation window. */
export function isAskedFor(askedBy: string | null, rows: readonly LoggedRow[]): boolean {
  return rows.some(({ action, actor }) => action === 'request.start_asked' && actor === askedBy);
}

interface LoggedTask extends LoggedRequest {
  readonly taskNo: number;
  readonly target: string;
  /** Digests of the identity sets that were added to the request, as stored in the database. */
  readonly added: ReadonlySet<string>;
  /** Digest of the identity set that the request was received with. */
  readonly received: string | undefined;
}

/** Why the task must not be worked on; undefined if it may. */
export function leaseProblem(task: LoggedTask, all: readonly LoggedRow[]): string | undefined {
  const { target } = task;
  const has = (action: string) => all.some((row) => row.action === action);
  if (!task.isAsCreated) return 'its request was changed after it was received';
  if (task.hasForged) return 'a row of the audit log about its request was changed or is not ours';
  if (task.isRenumbered) return 'its request had another number';
  if (has('request.cancelled')) return 'its request was cancelled';
  const log = readRunLog(all);
  const ended = log.ended(target);
  if (ended.has(task.taskNo)) return 'it has ended';
  const again = isAskedAgain(target, all);
  if (!again && has('request.completed')) return 'its request was completed';
  if (!again && !has('request.started')) {
    return 'its request was never started';
  }
  const granted = log.granted(target, { eraseAgain: true });
  if (granted === 0) return 'its target was not planned for the request';
  if (ended.size >= granted) return 'its target has ended, and no row asks for another run there';
  if (isAddedSet(all, task.received)) {
    return 'the identities that its request was received with were replaced';
  }
  return missingIdentities(all, task.added);
}

/** If an operator retained the last run at the target, the next run has to be released by an operator. */
export function isRetainedBefore(task: LoggedTask, all: readonly LoggedRow[]): boolean {
  const { taskNo, target } = task;
  const own = all.filter((row) => runDetail(row).target === target);
  const ends = own.filter(({ action }) => ENDS.includes(action));
  const last = ends.toSorted((a, b) => endOrder(a) - endOrder(b)).at(-1);
  if (last?.action !== 'task.retained') return false;
  return !own.some((row) => row.action === 'task.released' && runDetail(row).task === taskNo);
}

const endOrder = (row: LoggedRow): number => Number(runDetail(row).task ?? 0);
