// A `where`, of a table or of "resolve", on the columns that the catalogue has.
import { type TableConfig, whereValues } from '../../../domain/target/target.ts';
import type { ColumnShape, TableShape } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { planMisfit } from './plan-misfits.ts';
import { columnIn } from './row-key.ts';
import { type PlannedWhere, whereText } from './where-values.ts';

export function columnOf(shape: TableShape, name: string): ColumnShape {
  const column = columnIn(shape, name);
  if (column === undefined) throw planMisfit(`the table ${shape.table} has no column ${name}`);
  return column;
}

export function plannedWhere(
  { table, where = {} }: Pick<TableConfig, 'table' | 'where'>,
  shape: TableShape,
  dialect: SqlDialect,
): PlannedWhere[] {
  return Object.entries(where).map(([name, given]) => {
    const column = columnOf(shape, name);
    const values = whereValues(given);
    const texts = values
      .filter((value) => value !== null)
      .map((value) => {
        const text = whereText(dialect, column, value);
        if (text === undefined)
          throw planMisfit(`the column ${name} of ${table} cannot hold a value of its "where"`);
        return text;
      });
    return {
      column,
      texts: new Set(texts),
      hasNull: values.includes(null),
      isNot: 'not' in given,
    };
  });
}
