// Checks whether the columns of each `where` can hold its values.
import type { CheckLine } from '../../../domain/target/connector.ts';
import { type TableConfig, type WhereValue, whereValues } from '../../../domain/target/target.ts';
import type { ColumnShape, TableShape } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { whereText } from '../plan/where-values.ts';
import { problem } from './line.ts';

export function checkWhere(
  dialect: SqlDialect,
  { table, where = {} }: Pick<TableConfig, 'table' | 'where'>,
  shape: TableShape,
): CheckLine[] {
  return Object.entries(where).flatMap(([name, values]) => {
    const column = shape.columns.get(name);
    if (column === undefined) return [];
    return whereValues(values).flatMap((value) => {
      const reason = misfit(dialect, column, value);
      return reason === undefined ? [] : [problem(table, reason)];
    });
  });
}

function misfit(dialect: SqlDialect, column: ColumnShape, value: WhereValue): string | undefined {
  const { name, type, isNullable } = column;
  if (value === null)
    return isNullable
      ? undefined
      : `where: "${name}" is never NULL, so no row would fit; correct the value`;
  if (whereText(dialect, column, value) !== undefined) return undefined;
  const written = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return `where: "${name}" is ${type || 'of no type'}, which cannot hold ${written}, or not in one spelling only; tell the rows apart by a column of text, whole numbers, true and false, or an enumeration, or by null`;
}
