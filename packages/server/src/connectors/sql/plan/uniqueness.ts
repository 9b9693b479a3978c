import type { TableShape } from '../catalogue.ts';
import type { Uniqueness } from './plan.ts';

/** PostgreSQL's system column for the table that a row is in, where tables inherit. */
export const TABLE_OF_ROWS = 'tableoid';

/**
 * Whether columns of a parent name one of its rows. Only whole indexes count: a partial one, or one on an
 * expression, lets two rows have the same values. NULLs are no references, so nullable columns will do.
 */
export function uniquenessOf(
  parent: Pick<TableShape, 'primaryKey' | 'uniques'>,
  columns: readonly string[],
  /** The parent's tenant column, where the child's is compared too. */
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
