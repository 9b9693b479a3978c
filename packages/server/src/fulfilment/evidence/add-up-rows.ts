// How many rows of a table all attempts of a task have erased, and how.
import type { KeyLayout, TableLayout } from '../../domain/target/row-layout.ts';
import type { TableActionName, TableEvidence } from '../../domain/task/task.ts';

export interface AddingUp {
  /** Rows of this table that all attempts of the task were about to erase. */
  readonly intended: number;
  /** Whether rows have keys, so that no row is reported twice. */
  readonly isExact: boolean;
  /** An earlier attempt had another plan, whose rows are not recognised by a key of now. */
  readonly isUnrecognised: boolean;
}

/**
 * Adds up the reports of several attempts. If a target only gives numbers, the sum is limited to the rows that
 * were intended in all: a target that reports the same rows each time has not erased them again. A single
 * report may be larger, and is not limited.
 */
export function addUpRows(
  before: Pick<TableEvidence, 'action' | 'rows'>,
  rows: number,
  { intended, isExact, isUnrecognised }: AddingUp,
): number {
  // A row that another plan overwrote still exists, and without its key it cannot be distinguished from others.
  const maybeSame = !isExact || (isUnrecognised && before.action === 'overwrite');
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

/** Tables in which a row that an earlier plan overwrote cannot be recognised: without a key, or with another one. */
export function unrecognisedIn(now: KeyLayout = {}, before: KeyLayout = {}): Set<string> {
  const keyOf = ({ columns, keySize }: TableLayout) => JSON.stringify(columns.slice(0, keySize));
  const tables = [...Object.entries(now), ...Object.entries(before)];
  return new Set(
    tables.flatMap(([name, own]) => {
      const [one, other] = [now[name], before[name]];
      const isOther = one !== undefined && other !== undefined && keyOf(one) !== keyOf(other);
      return own.isUnnamed === true || isOther ? [name] : [];
    }),
  );
}
