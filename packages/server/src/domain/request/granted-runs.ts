// How often a request may be worked on at a target, as the audit log says: once by its start, and once more for each row that
// says so. A task in the database that no row grants was put there by somebody else.
import { readDetail } from '../audit/read-detail.ts';

export interface GrantingRow {
  readonly time: number;
  readonly actor: string;
  readonly action: string;
  readonly detail: string | null;
}

/** Ends of tasks. */
export const ENDS: readonly string[] = ['task.erased', 'task.retained', 'task.confirmed'];

/** Rows that can grant a run. */
export const GRANTS: readonly string[] = [
  'request.started',
  'request.identified',
  'task.released',
  'request.erase_again_asked',
];

export interface RunDetail {
  readonly task?: unknown;
  readonly target?: unknown;
  readonly targets?: unknown;
  /** Targets that got another run by it. */
  readonly again?: unknown;
  readonly reason?: unknown;
}

export interface GrantOptions {
  /** Rows of earlier versions do not say which targets they are about: any of them, then, or none. */
  readonly ofEarlierVersions: boolean;
  /** Those asked for by `unwrite erase-again`. */
  readonly eraseAgain: boolean;
}

/** A row that is in the log twice, as a copy, counts once. */
export function grantedRuns(
  target: string,
  all: readonly GrantingRow[],
  options: GrantOptions,
): number {
  const rows = withoutCopies(all);
  const more = rows.filter((row) => grantsMore(row, target, options));
  return countStarts(target, rows) + more.length;
}

/** The targets of the plan, which is the last one where there were several, and those that got another run. In order. */
export function grantedTargets(rows: readonly GrantingRow[]): string[] {
  const started = rows.findLast(({ action }) => action === 'request.started');
  const again = rows.filter(({ action }) => GRANTS.includes(action)).map(runDetail);
  const planned = started === undefined ? [] : listOf(runDetail(started).targets);
  return [...new Set([...planned, ...again.flatMap((detail) => listOf(detail.again))])];
}

/** By their numbers; of earlier versions, by their rows. */
export function endedTasks(target: string, rows: readonly GrantingRow[]): Set<unknown> {
  const ends = rows.filter((row) => ENDS.includes(row.action) && runDetail(row).target === target);
  return new Set(ends.map((row) => runDetail(row).task ?? textOf(row)));
}

/** A request that had no identities is planned anew when it gets some: another run only where the one before has ended. */
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
  switch (row.action) {
    case 'request.identified':
      return row.detail === null ? ofEarlierVersions : listOf(detail.again).includes(target);
    case 'task.released':
      if (detail.task !== undefined) return listOf(detail.again).includes(target);
      return ofEarlierVersions && detail.reason === 'unproven_identity';
    case 'request.erase_again_asked':
      return eraseAgain && detail.target === target;
    default:
      return false;
  }
}

function withoutCopies(rows: readonly GrantingRow[]): GrantingRow[] {
  return [...new Map(rows.map((row) => [textOf(row), row])).values()];
}

const textOf = ({ time, actor, action, detail }: GrantingRow): string =>
  JSON.stringify([time, actor, action, detail]);

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export const runDetail = (row: Pick<GrantingRow, 'detail'>): RunDetail => readDetail(row);
