// The outcome for a person, in one word: the only place that decides it. Receipts, `seen`, `request show`,
// counts and alarms use it, so that they never disagree.
import type { RequestStatus } from '@unwrite/protocol';
import { foundAnything, NOT_PROVEN_AND_KEPT, tableLines } from '../task/table-words.ts';
import type { Evidence, TableEvidence, TaskState } from '../task/task.ts';

export const OUTCOMES = [
  'erased',
  'partly retained',
  'retained',
  'found nowhere',
  'still open',
  'cancelled',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The fields that decide here; the tables of a receipt are a list. */
export interface EndedTask {
  readonly action: Evidence['action'];
  readonly tables: readonly TableEvidence[];
  /** Tables that were not queried. */
  readonly skipped_tables?: readonly string[];
}

export interface TaskOfRequest {
  readonly target: string;
  readonly run: number;
  readonly state: TaskState;
  readonly evidence: EndedEvidence | null;
}

/** No rows of the person were found, kept, left out or confirmed by a person; tables not queried may hold some. */
export function foundNothing({ action, tables, skipped_tables: skipped = [] }: EndedTask): boolean {
  return action === 'not_found' && skipped.length === 0 && !tables.some(foundAnything);
}

export function foundNowhere(tasks: readonly EndedTask[]): boolean {
  return tasks.every(foundNothing);
}

export const endedTask = ({
  action,
  tables,
  skipped_tables: skipped,
}: EndedEvidence): EndedTask => ({
  action,
  tables: Object.values(tables),
  ...(skipped !== undefined && { skipped_tables: skipped }),
});

type EndedEvidence = Pick<Evidence, 'action' | 'tables' | 'skipped_tables' | 'already_erased_by'>;

const isErased = ({ action, tables }: EndedTask) =>
  action === 'erased' ||
  action === 'already_erased' ||
  action === 'confirmed' ||
  tables.some((table) =>
    tableLines(table).some(({ action: did, rows }) => rows > 0 && GONE.has(did)),
  );

/** Includes rows that another process deleted. */
const GONE = new Set(['delete', 'overwrite', 'erase', 'cascade', 'already gone']);

/** Rows kept by the configuration, or because they also belong to another person. */
const keepsRows = ({ tables }: EndedTask) =>
  tables.some((table) =>
    tableLines(table).some(
      ({ action: did, words, rows }) =>
        rows > 0 && did === 'retain' && words !== NOT_PROVEN_AND_KEPT,
    ),
  );

/** Rows that may belong to the person. Each run counts them again, because the identity that finds them is kept. */
const leavesUnproven = ({ tables }: EndedTask) => tables.some(({ unproven = 0 }) => unproven > 0);

/** A run that erased rows overrides an earlier decision to retain; a run that found nothing does not. */
const endsRetaining = ({ action }: EndedTask) => action === 'erased' || action === 'confirmed';

/**
 * Whether data of the person stays at a target, by its runs in order. Rows that the configuration keeps stay even
 * if a later run did not find them: the rows that led to them are erased.
 */
function isKept(runs: readonly EndedTask[]): boolean {
  const last = runs.at(-1);
  if (runs.some(keepsRows) || (last !== undefined && leavesUnproven(last))) return true;
  const retained = runs.findLastIndex(({ action }) => action === 'retained');
  return retained !== -1 && !runs.slice(retained).some(endsRetaining);
}

export function outcomeOf(status: RequestStatus, tasks: readonly TaskOfRequest[]): Outcome {
  if (status === 'cancelled') return 'cancelled';
  const ended = endedOf(tasks);
  // This includes runs added to a completed request: until they end, data of the person may exist again.
  if (status !== 'completed' || ended.length < tasks.length) return 'still open';
  return outcomeOfEnded(runsByTarget(ended));
}

function outcomeOfEnded(targets: readonly EndedTask[][]): Outcome {
  const all = targets.flat();
  if (foundNowhere(all)) return 'found nowhere';
  if (all.some(isErased)) return targets.some(isKept) ? 'partly retained' : 'erased';
  // A target that was left out may hold data too: nothing was erased, and not every target was queried.
  return 'retained';
}

const endedOf = (tasks: readonly TaskOfRequest[]) =>
  tasks.filter(({ state, evidence }) => state === 'erased' && evidence !== null);

/** Grouped by target, in the order of their runs. */
function runsByTarget(tasks: readonly TaskOfRequest[]): EndedTask[][] {
  const inOrder = [...tasks].sort((a, b) => a.run - b.run);
  return [...Map.groupBy(inOrder, ({ target }) => target).values()].map((runs) =>
    runs.flatMap(({ evidence }) => (evidence === null ? [] : [endedTask(evidence)])),
  );
}

/** The parts of a request that decide the outcome of another request of the same controller. */
export interface RequestWithTasks {
  readonly subjectRequestId: string;
  readonly status: RequestStatus;
  readonly tasks: readonly TaskOfRequest[];
}

/** Ids of the requests that had erased the same people before. */
export function erasedBeforeBy(tasks: readonly TaskOfRequest[]): string[] {
  return tasks.flatMap(({ evidence }) => evidence?.already_erased_by ?? []).map(lower);
}

/**
 * The same if earlier requests are known: what one of them kept still stays, even if a later one found nothing.
 * `before` has the requests that this one names, and those that they name in turn.
 */
export function outcomeAfter(
  request: RequestWithTasks,
  before: ReadonlyMap<string, RequestWithTasks>,
): Outcome {
  const outcome = outcomeOf(request.status, request.tasks);
  if (outcome !== 'erased') return outcome;
  const named = new Set(erasedBeforeBy(request.tasks));
  for (const id of named) {
    const tasks = before.get(id)?.tasks ?? [];
    if (runsByTarget(endedOf(tasks)).some(isKept)) return 'partly retained';
    // Iterating over a set also visits elements that are added meanwhile.
    for (const earlier of erasedBeforeBy(tasks)) named.add(earlier);
  }
  return outcome;
}

const lower = (id: string) => id.toLowerCase();

/** Combined outcome of all requests that named the same person; undefined without any. */
export function outcomeOfPerson(requests: readonly Outcome[]): Outcome | undefined {
  if (requests.every((outcome) => outcome === 'cancelled')) return requests[0];
  const has = (outcome: Outcome) => requests.includes(outcome);
  if (has('still open')) return 'still open';
  if (has('partly retained') || (has('erased') && has('retained'))) return 'partly retained';
  if (has('retained')) return 'retained';
  return has('erased') ? 'erased' : 'found nowhere';
}
