// Whether a request may start, and a task be worked on, according to the audit log. States in the database are
// not trusted, because somebody else may have written them. Rows of the log carry our MAC.
import {
  ENDS,
  endedTasks,
  GRANTS,
  grantedRuns,
  isAskedAgain,
  isPlannedAnew,
  runDetail,
} from './granted-runs.ts';
import { isAddedSet, missingIdentities } from './logged-identities.ts';

/** A row of the log about the request, which authenticates. */
export interface LoggedRow {
  readonly time: number;
  readonly actor: string;
  readonly action: string;
  readonly detail: string | null;
}

export interface LoggedRequest {
  /** Its controller, id, regulation, times and creator are those of its creation. */
  readonly isAsCreated: boolean;
  /** The log knows it under another number. */
  readonly isRenumbered: boolean;
  /** The log has rows about it that are not ours, or were changed: what they said is not known. */
  readonly hasForged: boolean;
  readonly receivedTime: number;
}

/** Rows that decide. */
export const LOG_ACTIONS: readonly string[] = [
  ...ENDS,
  ...GRANTS,
  'request.start_asked',
  'request.cancelled',
  'request.completed',
];

const CHANGED = 'it was changed after it was received';
const RENUMBERED = 'it had another number';
const FORGED = 'a row of the audit log about it was changed or is not ours';

interface StartedRequest extends LoggedRequest {
  /** Not started, as its row says. */
  readonly isPending: boolean;
}

/**
 * Why it must not start; undefined where it may. By rows under its number, whenever they say that they were written: a clock may
 * have been set back, and a number is never given to another request as long as the log has it.
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

/** That an operator asked to start before the window has passed counts where the log has it. */
export function isAskedFor(askedBy: string | null, rows: readonly LoggedRow[]): boolean {
  return rows.some(({ action, actor }) => action === 'request.start_asked' && actor === askedBy);
}

interface LoggedTask extends LoggedRequest {
  readonly taskNo: number;
  readonly target: string;
  /** Digests of the sets of identities that were added to its request, as they are in the database. */
  readonly added: ReadonlySet<string>;
  /** The digest of the set that its request was received with. */
  readonly received: string | undefined;
}

/** Why it must not be worked on; undefined where it may. */
export function leaseProblem(task: LoggedTask, all: readonly LoggedRow[]): string | undefined {
  const { target } = task;
  const has = (action: string) => all.some((row) => row.action === action);
  if (!task.isAsCreated) return 'its request was changed after it was received';
  if (task.hasForged) return 'a row of the audit log about its request was changed or is not ours';
  if (task.isRenumbered) return 'its request had another number';
  if (has('request.cancelled')) return 'its request was cancelled';
  const ended = endedTasks(target, all);
  if (ended.has(task.taskNo)) return 'it has ended';
  const again = isAskedAgain(target, all);
  if (!again && has('request.completed')) return 'its request was completed';
  if (!again && !has('request.started')) {
    return 'its request was never started';
  }
  const granted = grantedRuns(target, all, { ofEarlierVersions: true, eraseAgain: true });
  if (granted === 0) return 'its target was not planned for the request';
  if (ended.size >= granted) return 'its target has ended, and no row asks for another run there';
  if (isAddedSet(all, task.received)) {
    return 'the identities that its request was received with were replaced';
  }
  return missingIdentities(all, task.added);
}

/** Where a person retained the last run at the target, the next is for a person to release. */
export function isRetainedBefore(task: LoggedTask, all: readonly LoggedRow[]): boolean {
  const { taskNo, target } = task;
  const own = all.filter((row) => runDetail(row).target === target);
  const ends = own.filter(({ action }) => ENDS.includes(action));
  const last = ends.toSorted((a, b) => endOrder(a) - endOrder(b)).at(-1);
  if (last?.action !== 'task.retained') return false;
  return !own.some((row) => {
    const { task: released = taskNo, reason } = runDetail(row);
    const isOfEarlierVersion = runDetail(row).task === undefined;
    return (
      row.action === 'task.released' &&
      released === taskNo &&
      (!isOfEarlierVersion || reason === 'retained_before')
    );
  });
}

const endOrder = (row: LoggedRow): number => Number(runDetail(row).task ?? 0);
