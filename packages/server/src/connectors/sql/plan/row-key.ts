// The columns that identify the rows of a table.
import type { TableConfig } from '../../../domain/target/target.ts';
import type { ColumnShape, TableShape } from '../catalogue.ts';

export interface RowKey {
  readonly columns: readonly ColumnShape[];
  /**
   * The table has no unique key: rows are identified by something that is valid within one transaction
   * only, so no intent names them.
   */
  readonly isUnnamed: boolean;
}

/** Undefined if a named column does not exist, or nothing identifies rows. */
export function rowKeyOf({ key }: Pick<TableConfig, 'key'>, shape: TableShape): RowKey | undefined {
  const named = key ?? primaryOrUnique(shape);
  if (named === undefined) {
    const { rowIdentity = [] } = shape;
    return rowIdentity.length === 0 ? undefined : { columns: rowIdentity, isUnnamed: true };
  }
  const columns = named.flatMap((name) => shape.columns.get(name) ?? []);
  return columns.length === named.length ? { columns, isUnnamed: false } : undefined;
}

/** The primary key, or the first unique index whose columns are never NULL. */
function primaryOrUnique({ primaryKey, uniques, columns }: TableShape) {
  if (primaryKey.length > 0) return primaryKey;
  return uniques.find((unique) =>
    unique.every((name) => {
      const column = columns.get(name);
      return column !== undefined && !column.isNullable && !isArray(column);
    }),
  );
}

/** An array of PostgreSQL, also under the name of a domain. */
export function isArray({ type, baseType = type }: ColumnShape): boolean {
  return baseType.endsWith('[]');
}

export function columnIn(shape: TableShape, name: string): ColumnShape | undefined {
  return shape.columns.get(name) ?? shape.rowIdentity?.find((column) => column.name === name);
}
