// How many rows of a table all attempts of a task have erased, and how.
import type { KeyLayout } from '../../domain/target/row-layout.ts';
import type { TableActionName, TableEvidence } from '../../domain/task/task.ts';

export interface AddingUp {
  /** All that the task's attempts were about to erase, of this table. */
  readonly intended: number;
  /** Whether rows are known by their keys, so that none is ever reported twice. */
  readonly isExact: boolean;
  /** The table has no unique key, and an attempt before had another plan. */
  readonly isUnnamed: boolean;
}

/**
 * Adds up the reports of several attempts. If a target only gives numbers, the sum is limited to the rows that
 * were intended in all: a target that reports the same rows each time has not erased them again. A single
 * report may be larger, and is not limited.
 */
export function addUpRows(
  before: Pick<TableEvidence, 'action' | 'rows'>,
  rows: number,
  { intended, isExact, isUnnamed }: AddingUp,
): number {
  // A row that another plan overwrote is there, and without a key it cannot be told from another.
  const maybeSame = !isExact || (isUnnamed && before.action === 'overwrite');
  const sum = before.rows + rows;
  return Math.max(before.rows, rows, maybeSame ? Math.min(sum, intended) : sum);
}

/**
 * How all rows went, where attempts before may have had another plan. `now`: rows that this attempt erased by `action`, also those
 * that one before had erased; `all`: of all attempts. Where some were overwritten, none is said to be deleted.
 */
export function actionInAll(
  before: Pick<TableEvidence, 'action' | 'rows'> | undefined,
  action: TableActionName,
  now: number,
  all: number,
): TableActionName {
  if (before === undefined || before.rows === 0 || before.action === action) return action;
  const isByBoth = now > 0 && now < all;
  return now === 0 || (isByBoth && before.action === 'overwrite') ? before.action : action;
}

export function unnamedIn(...layouts: readonly (KeyLayout | undefined)[]): Set<string> {
  const tables = layouts.flatMap((layout) => Object.entries(layout ?? {}));
  return new Set(tables.flatMap(([name, { isUnnamed }]) => (isUnnamed === true ? [name] : [])));
}
