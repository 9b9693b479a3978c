// A `where`, of a table or of "resolve", on the columns that the catalogue has.
import { type TableConfig, whereValues } from '../../../domain/target/target.ts';
import type { ColumnShape, TableShape } from '../catalogue.ts';
import { quoteTable, type SqlDialect } from '../dialect.ts';
import { planMisfit } from './plan-misfits.ts';
import { columnIn } from './row-key.ts';
import { type PlannedWhere, whereText } from './where-values.ts';

export function columnOf(shape: TableShape, name: string): ColumnShape {
  const column = columnIn(shape, name);
  if (column === undefined) throw planMisfit(`the table ${shape.table} has no column ${name}`);
  return column;
}

/** Undefined if nothing says which row of a table a value means. */
export function keyNamedBy(own: ColumnShape, shape: TableShape): ColumnShape | undefined {
  const [name, ...others] = shape.primaryKey;
  const key = name === undefined || others.length > 0 ? undefined : shape.columns.get(name);
  if (key?.kind !== own.kind || key.kind === 'other') return undefined;
  return key.collation === own.collation ? key : undefined;
}

function keyReferredTo(own: ColumnShape, shape: TableShape): ColumnShape {
  const key = keyNamedBy(own, shape);
  if (key === undefined)
    throw planMisfit(`${own.name} does not refer to the primary key of ${shape.table}`);
  return key;
}

export function plannedWhere(
  { table, where = {}, whereBy = {} }: Pick<TableConfig, 'table' | 'where' | 'whereBy'>,
  shape: TableShape,
  dialect: SqlDialect,
  shapeOf: (table: string) => TableShape,
): PlannedWhere[] {
  return Object.entries(where).map(([name, given]) => {
    const by = Object.hasOwn(whereBy, name) ? whereBy[name] : undefined;
    const own = columnOf(shape, name);
    const column = by === undefined ? own : columnOf(shapeOf(by.table), by.column);
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
      ...(by !== undefined && {
        through: {
          own,
          table: by.table,
          sqlName: quoteTable(dialect, by.table),
          key: keyReferredTo(own, shapeOf(by.table)),
        },
      }),
      texts: new Set(texts),
      hasNull: values.includes(null),
      isNot: 'not' in given,
    };
  });
}
