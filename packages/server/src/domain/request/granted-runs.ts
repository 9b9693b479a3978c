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
  /**
   * Rows of earlier versions do not say which targets they are about. True: they count for any target; false:
   * for none.
   */
  readonly ofEarlierVersions: boolean;
  /** Whether runs by `unwrite erase-again` count. */
  readonly eraseAgain: boolean;
}

/** A row that was copied within the log counts once. */
export function grantedRuns(
  target: string,
  all: readonly GrantingRow[],
  options: GrantOptions,
): number {
  const rows = withoutCopies(all);
  const more = rows.filter((row) => grantsMore(row, target, options));
  return countStarts(target, rows) + more.length;
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

/** Numbers of tasks that have ended. Rows of earlier versions have no number and count one each. */
export function endedTasks(target: string, rows: readonly GrantingRow[]): Set<unknown> {
  const ends = rows.filter((row) => ENDS.includes(row.action) && runDetail(row).target === target);
  return new Set(ends.map((row) => runDetail(row).task ?? textOf(row)));
}

/**
 * A request without identities is planned again when it gets some: this counts as another run only if the one
 * before has ended.
 */
function countStarts(target: string, rows: readonly GrantingRow[]): number {
  const times = rows
    .filter(
      (row) => row.action === 'request.started' && listOf(runDetail(row).targets).includes(target),
    )
    .map(({ time }) => time)
    .sort((a, b) => a - b);
  const ends = rows.filter((row) => ENDS.includes(row.action) && runDetail(row).target === target);
  return times.filter((time, at) => {
    const before = times[at - 1];
    return before === undefined || ends.some((end) => end.time >= before && end.time < time);
  }).length;
}

function grantsMore(row: GrantingRow, target: string, options: GrantOptions): boolean {
  const detail = runDetail(row);
  const { ofEarlierVersions, eraseAgain } = options;
  if (eraseAgain && listOf(detail.again_asked).includes(target)) return true;
  switch (row.action) {
    case 'request.identified':
      return row.detail === null ? ofEarlierVersions : listOf(detail.again).includes(target);
    case 'task.released':
      if (detail.task !== undefined) return listOf(detail.again).includes(target);
      return ofEarlierVersions && detail.reason === 'unproven_identity';
    case 'task.resolved':
      return listOf(detail.again).includes(target);
    case 'request.erase_again_asked':
      return eraseAgain && detail.target === target;
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

function withoutCopies(rows: readonly GrantingRow[]): GrantingRow[] {
  return [...new Map(rows.map((row) => [textOf(row), row])).values()];
}

const textOf = ({ time, actor, action, detail }: GrantingRow): string =>
  JSON.stringify([time, actor, action, detail]);

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export const runDetail = (row: Pick<GrantingRow, 'detail'>): RunDetail => readDetail(row);
