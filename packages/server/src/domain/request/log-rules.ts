// Whether a request may start, and a task be worked on, as far as the audit log says. States in the database are not believed:
// others may have written them. Rows of the log carry our MAC.
import { objectFromJson } from '../stored-json.ts';

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
  readonly receivedTime: number;
}

const ENDS: readonly string[] = ['task.erased', 'task.retained', 'task.confirmed'];

/** Rows that decide. */
export const LOG_ACTIONS: readonly string[] = [
  ...ENDS,
  'request.start_asked',
  'request.cancelled',
  'request.started',
  'request.completed',
  'request.erase_again_asked',
];

/**
 * Clocks of nodes differ a little. What is older than that and forbids something is about an earlier request of the same number
 * and id, which was forgotten.
 */
const CLOCK_MS = 60_000;

const CHANGED = 'it is not as it was received';

interface StartedRequest extends LoggedRequest {
  /** Not started, as its row says. */
  readonly isPending: boolean;
}

/** Why it must not start; undefined where it may. */
export function startProblem(
  request: StartedRequest,
  all: readonly LoggedRow[],
): string | undefined {
  const has = (action: string) => all.some((row) => row.action === action);
  const hasSince = (action: string) => since(request, all).some((row) => row.action === action);
  if (!request.isAsCreated) return CHANGED;
  if (hasSince('request.cancelled')) return 'it was cancelled';
  if (hasSince('request.completed')) return 'it was completed';
  if (request.isPending && hasSince('request.started')) return 'it was started before';
  if (!request.isPending && !has('request.started')) return 'it was never started';
  return undefined;
}

/** That an operator asked to start before the window has passed counts where the log has it. */
export function isAskedFor(askedBy: string | null, rows: readonly LoggedRow[]): boolean {
  return rows.some(({ action, actor }) => action === 'request.start_asked' && actor === askedBy);
}

interface LoggedTask extends LoggedRequest {
  readonly taskNo: number;
  readonly target: string;
}

/** Why it must not be worked on; undefined where it may. */
export function leaseProblem(task: LoggedTask, all: readonly LoggedRow[]): string | undefined {
  const details = (action: string) => all.filter((row) => row.action === action).map(detailOf);
  const sinceThen = since(task, all);
  const hasSince = (action: string) => sinceThen.some((row) => row.action === action);
  const ends = sinceThen.filter(({ action }) => ENDS.includes(action)).map(detailOf);
  if (!task.isAsCreated) return 'its request is not as it was received';
  if (hasSince('request.cancelled')) return 'its request was cancelled';
  if (ends.some((detail) => detail.task === task.taskNo)) return 'it has ended';
  if (details('request.erase_again_asked').some(({ target }) => target === task.target)) {
    return undefined;
  }
  if (hasSince('request.completed')) return 'its request was completed';
  const started = details('request.started');
  if (started.length === 0) return 'its request was never started';
  return started.some(({ targets }) => Array.isArray(targets) && targets.includes(task.target))
    ? undefined
    : 'its target was not planned for the request';
}

function since({ receivedTime }: LoggedRequest, rows: readonly LoggedRow[]): LoggedRow[] {
  return rows.filter(({ time }) => time >= receivedTime - CLOCK_MS);
}

interface Detail {
  readonly task?: unknown;
  readonly target?: unknown;
  readonly targets?: unknown;
}

function detailOf({ detail }: LoggedRow): Detail {
  return objectFromJson(detail ?? '{}') ?? {};
}
