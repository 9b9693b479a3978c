// How many runs a request may have at a target, according to the audit log: one by its start, and one more for
// each row that grants another. A task that no row grants was not created by Unwrite.
import { readDetail } from '../audit/read-detail.ts';
import { DEFAULT_MANUAL_TARGET } from '../target/target.ts';

export interface GrantingRow {
  readonly time: number;
  readonly actor: string;
  readonly action: string;
  readonly detail: string | null;
}

/** Actions that end a task. */
export const ENDS: readonly string[] = ['task.erased', 'task.retained', 'task.confirmed'];

/** Rows that can grant a run. */
export const GRANTS: readonly string[] = [
  'request.started',
  'request.identified',
  'task.released',
  'task.resolved',
  'request.erase_again_asked',
];

export interface RunDetail {
  readonly task?: unknown;
  readonly target?: unknown;
  readonly targets?: unknown;
  /** Targets that got another run by this row. */
  readonly again?: unknown;
  /** The same, for a request that was completed. */
  readonly again_asked?: unknown;
  readonly reason?: unknown;
}

export interface GrantOptions {
  /** Whether runs by `unwrite erase-again` count. */
  readonly eraseAgain: boolean;
}

/** The rows of a request, read once for all of its targets, which may be thousands. */
export interface RunLog {
  /** How many runs the target may have. A row that was copied within the log counts once. */
  granted(target: string, options: GrantOptions): number;
  /** Numbers of tasks that have ended. */
  ended(target: string): Set<unknown>;
}

export function readRunLog(all: readonly GrantingRow[]): RunLog {
  const rows = withoutCopies(all).map((row): ReadRow => {
    const { task, target, reason, targets, again, again_asked: askedAgain } = runDetail(row);
    return {
      ...row,
      task,
      target,
      reason,
      targets: setOf(targets),
      again: setOf(again),
      askedAgain: setOf(askedAgain),
    };
  });
  const ends = Map.groupBy(
    rows.filter(({ action }) => ENDS.includes(action)),
    ({ target }) => target,
  );
  const starts = rows.filter(({ action }) => action === 'request.started');
  const grants = rows.filter(
    ({ action, askedAgain }) => GRANTS.includes(action) || askedAgain.size > 0,
  );
  return {
    granted(target, options) {
      const more = grants.filter((row) => grantsMore(row, target, options));
      return countStarts(target, starts, ends.get(target) ?? []) + more.length;
    },
    ended: (target) => new Set(ends.get(target)?.map(({ task }) => task)),
  };
}

interface ReadRow extends GrantingRow {
  readonly task?: unknown;
  readonly target?: unknown;
  readonly reason?: unknown;
  readonly targets: ReadonlySet<string>;
  readonly again: ReadonlySet<string>;
  readonly askedAgain: ReadonlySet<string>;
}

/** The targets of the last plan, then those that got another run. */
export function grantedTargets(rows: readonly GrantingRow[]): string[] {
  const started = rows.findLast(({ action }) => action === 'request.started');
  const again = rows.filter(({ action }) => GRANTS.includes(action)).map(runDetail);
  const planned = started === undefined ? [] : listOf(runDetail(started).targets);
  return [...new Set([...planned, ...again.flatMap((detail) => listOf(detail.again))])];
}

/** Whether a started request has no plan yet: it had no identities, and an operator has added some since. */
export function isPlannedAnew(rows: readonly GrantingRow[]): boolean {
  const [started, ...more] = withoutCopies(
    rows.filter(({ action }) => action === 'request.started'),
  );
  if (started === undefined || more.length > 0) return false;
  const isByHand = listOf(runDetail(started).targets).every((it) => it === DEFAULT_MANUAL_TARGET);
  return isByHand && rows.some(({ action }) => action === 'request.identified');
}

/**
 * A request without identities is planned again when it gets some: this counts as another run only if the one
 * before has ended.
 */
function countStarts(target: string, starts: readonly ReadRow[], ends: readonly ReadRow[]): number {
  const times = starts
    .filter(({ targets }) => targets.has(target))
    .map(({ time }) => time)
    .sort((a, b) => a - b);
  return times.filter((time, at) => {
    const before = times[at - 1];
    return before === undefined || ends.some((end) => end.time >= before && end.time < time);
  }).length;
}

function grantsMore(row: ReadRow, target: string, options: GrantOptions): boolean {
  const { eraseAgain } = options;
  if (eraseAgain && row.askedAgain.has(target)) return true;
  switch (row.action) {
    case 'request.identified':
    case 'task.released':
    case 'task.resolved':
      return row.again.has(target);
    case 'request.erase_again_asked':
      return eraseAgain && row.target === target;
    default:
      return false;
  }
}

/** Whether the log asks for a run at the target after the completion. */
export function isAskedAgain(target: string, rows: readonly GrantingRow[]): boolean {
  return rows.some((row) => {
    const detail = runDetail(row);
    if (GRANTS.includes(row.action) && listOf(detail.again_asked).includes(target)) return true;
    return row.action === 'request.erase_again_asked' && detail.target === target;
  });
}

function withoutCopies(rows: readonly GrantingRow[]): readonly GrantingRow[] {
  if (rows.length < 2) return rows;
  return [...new Map(rows.map((row) => [textOf(row), row])).values()];
}

const textOf = ({ time, actor, action, detail }: GrantingRow): string =>
  JSON.stringify([time, actor, action, detail]);

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const NONE: ReadonlySet<string> = new Set();
const setOf = (value: unknown): ReadonlySet<string> =>
  Array.isArray(value) ? new Set(listOf(value)) : NONE;

export const runDetail = (row: Pick<GrantingRow, 'detail'>): RunDetail => readDetail(row);
