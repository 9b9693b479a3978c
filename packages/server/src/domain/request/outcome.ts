// What became of a person, in one word: the only place that decides it. Receipts, `seen`, `request show`, counts
// and alarms ask here, so that they never disagree.
import type { RequestStatus } from '@unwrite/protocol';
import { foundAnything, tableLines } from '../task/table-words.ts';
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

/** As far as it matters here; the tables of a receipt are a list. */
export interface EndedTask {
  readonly action: Evidence['action'];
  readonly tables: readonly TableEvidence[];
  /** Tables that were not asked. */
  readonly skipped_tables?: readonly string[];
}

export interface TaskOfRequest {
  readonly target: string;
  readonly run: number;
  readonly state: TaskState;
  readonly evidence: EndedEvidence | null;
}

/** Nothing of the person was found, kept, left out or confirmed by a person; what was not asked may hold something. */
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

type EndedEvidence = Pick<Evidence, 'action' | 'tables' | 'skipped_tables'>;

const isErased = ({ action, tables }: EndedTask) =>
  action === 'erased' ||
  action === 'already_erased' ||
  action === 'confirmed' ||
  tables.some((table) =>
    tableLines(table).some(({ action: did, rows }) => rows > 0 && GONE.has(did)),
  );

/** Also what had gone by another hand. */
const GONE = new Set(['delete', 'overwrite', 'erase', 'cascade', 'already gone']);

const isKept = ({ action, tables }: EndedTask) =>
  action === 'retained' ||
  tables.some((table) =>
    tableLines(table).some(({ action: did, rows }) => rows > 0 && did === 'retain'),
  );

export function outcomeOf(status: RequestStatus, tasks: readonly TaskOfRequest[]): Outcome {
  if (status === 'cancelled') return 'cancelled';
  const ended = tasks.filter(({ state, evidence }) => state === 'erased' && evidence !== null);
  // Also a run that was added to a completed request: until it ends, the person may be there again.
  if (status !== 'completed' || ended.length < tasks.length) return 'still open';
  return outcomeOfEnded(lastWords(ended));
}

function outcomeOfEnded(targets: readonly EndedTask[][]): Outcome {
  const all = targets.flat();
  if (foundNowhere(all)) return 'found nowhere';
  const isAnyErased = all.some(isErased);
  const isAnyKept = targets.some((runs) => {
    const last = runs.findLast(({ action }) => action !== 'skipped');
    return last !== undefined && isKept(last);
  });
  if (isAnyErased) return isAnyKept ? 'partly retained' : 'erased';
  // A target that was left out may hold the person as well: nothing was erased, and not everything was asked.
  return 'retained';
}

/** By target, in the order of their runs: a later run has asked for everything again. */
function lastWords(tasks: readonly TaskOfRequest[]): EndedTask[][] {
  const inOrder = [...tasks].sort((a, b) => a.run - b.run);
  return [...Map.groupBy(inOrder, ({ target }) => target).values()].map((runs) =>
    runs.flatMap(({ evidence }) => (evidence === null ? [] : [endedTask(evidence)])),
  );
}

/** Of several requests that named the same person; undefined where there is none. */
export function outcomeOfPerson(requests: readonly Outcome[]): Outcome | undefined {
  if (requests.every((outcome) => outcome === 'cancelled')) return requests[0];
  const has = (outcome: Outcome) => requests.includes(outcome);
  if (has('still open')) return 'still open';
  if (has('partly retained') || (has('erased') && has('retained'))) return 'partly retained';
  if (has('retained')) return 'retained';
  return has('erased') ? 'erased' : 'found nowhere';
}
