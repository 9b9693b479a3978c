import type { TableShape } from '../catalogue.ts';
import type { Uniqueness } from './plan.ts';

/** PostgreSQL's system column for the table that contains a row, with table inheritance. */
export const TABLE_OF_ROWS = 'tableoid';

/**
 * Whether columns of a parent identify one of its rows. Only complete indexes count: a partial one, or one
 * on an expression, allows two rows to have the same values. NULL is not a reference, so the columns may be
 * nullable.
 */
export function uniquenessOf(
  parent: Pick<TableShape, 'primaryKey' | 'uniques'>,
  columns: readonly string[],
  /** The parent's tenant column, if the child's is compared too. */
  tenant: string | null,
): Uniqueness {
  if (isUnique(parent, columns)) return 'alone';
  return tenant !== null && isUnique(parent, [...columns, tenant]) ? 'with_tenant' : 'none';
}

export function isUnique(
  { primaryKey, uniques }: Pick<TableShape, 'primaryKey' | 'uniques'>,
  columns: readonly string[],
): boolean {
  return [primaryKey, ...uniques].some(
    (unique) => unique.length > 0 && unique.every((column) => columns.includes(column)),
  );
}
