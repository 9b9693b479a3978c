// How many rows of a table all attempts of a task have erased, and how.
import type { KeyLayout } from '../../domain/target/row-layout.ts';
import type { TableActionName, TableEvidence } from '../../domain/task/task.ts';

export interface AddingUp {
  /** Rows of this table that all attempts of the task were about to erase. */
  readonly intended: number;
  /** Whether rows have keys, so that no row is reported twice. */
  readonly isExact: boolean;
  /** The table has no unique key, and an earlier attempt had another plan. */
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
  // A row that another plan overwrote still exists, and without a key it cannot be distinguished from others.
  const maybeSame = !isExact || (isUnnamed && before.action === 'overwrite');
  const sum = before.rows + rows;
  return Math.max(before.rows, rows, maybeSame ? Math.min(sum, intended) : sum);
}

/**
 * The action for all rows, because earlier attempts may have had another plan. `now`: rows that this attempt treated
 * by `action`, including those that an earlier one had erased; `all`: rows of all attempts. If some were
 * overwritten, the action is not `delete`.
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
