// Checks whether the columns of each `where` can hold its values.
import type { CheckLine } from '../../../domain/target/connector.ts';
import {
  type TableConfig,
  type TablesWork,
  type WhereValue,
  whereValues,
} from '../../../domain/target/target.ts';
import type { Catalogue, ColumnShape, TableShape } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { keyNamedBy } from '../plan/planned-where.ts';
import { whereText } from '../plan/where-values.ts';
import { problem } from './line.ts';
import { existing, missingColumn, missingTable, type OtherNames } from './missing.ts';

export function checkWhere(
  dialect: SqlDialect,
  { table, where = {}, whereBy = {} }: Pick<TableConfig, 'table' | 'where' | 'whereBy'>,
  shape: TableShape,
  catalogue: Catalogue,
): CheckLine[] {
  return Object.entries(where).flatMap(([name, values]) => {
    const by = Object.hasOwn(whereBy, name) ? whereBy[name] : undefined;
    const column =
      by === undefined ? shape.columns.get(name) : catalogue.get(by.table)?.columns.get(by.column);
    if (column === undefined) return [];
    return whereValues(values).flatMap((value) => {
      const reason = misfit(dialect, column, value);
      return reason === undefined ? [] : [problem(table, reason)];
    });
  });
}

/** The tables whose rows have the values. */
export function checkWhereBy(
  dialect: SqlDialect,
  { table, whereBy = {} }: TableConfig,
  shape: TableShape,
  work: TablesWork,
  catalogue: Catalogue,
  { tables }: Pick<OtherNames, 'tables'>,
): CheckLine[] {
  return Object.entries(whereBy).flatMap(([name, by]) => {
    const named = existing(catalogue, by.table);
    if (named === undefined) return [missingTable(by.table, { kinds: new Map(), tables })];
    const own = shape.columns.get(name);
    if (own === undefined) return [];
    if (!named.columns.has(by.column))
      return [missingColumn(dialect, named, by.column, `the where of ${table}`)];
    if (keyNamedBy(own, named) === undefined)
      return [
        problem(
          table,
          `where: "${name}" cannot refer to ${by.table}: that needs a primary key of one column there, of the same type as "${name}"`,
        ),
      ];
    const isSame = (other: string) => catalogue.get(other)?.columns === named.columns;
    const isChanged = work.tables.some((one) => isSame(one.table) && one.action.kind !== 'retain');
    if (!isChanged && ![...work.cascades, ...detached(work)].some(isSame)) return [];
    return [
      problem(
        table,
        `where: ${by.table} says which rows the entry has, and its own rows would be changed or deleted here; take it out of "tables", "cascades" and "detach"`,
      ),
    ];
  });
}

const detached = ({ detach = [] }: TablesWork) => detach.map(({ table }) => table);

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
