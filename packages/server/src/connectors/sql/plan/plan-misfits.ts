// Messages: why a configuration does not fit the catalogue.
import { TargetDown } from '../../../domain/target/connector.ts';
import type { ColumnShape, ForeignKey } from '../catalogue.ts';
import { RUN_CHECK } from '../run-check.ts';

export function planMisfit(message: string): TargetDown {
  return new TargetDown('plan_misfit', `${message}${RUN_CHECK}`);
}

export function hiddenColumn(table: string, column: string): string {
  return `a foreign key uses ${table}.${column}, and the account cannot see that column; grant it SELECT on ${table}`;
}

/** Tables whose rows cannot be deleted in any order. */
export function inCircle(stuck: readonly ForeignKey[]): string {
  const tables = [...new Set(stuck.map(({ table }) => table))].join(', ');
  const columns = stuck.map(({ table, columns: names }) => `${table}.${names.join(', ')}`);
  return `the tables ${tables} refer to each other (${columns.join('; ')}) and none of these columns may be NULL, so none of them can be deleted from first; let one of the columns be NULL, make its foreign key deferrable where the database can, or overwrite one of the tables instead of deleting`;
}

export function incomparable(
  child: string,
  column: ColumnShape,
  parent: string,
  parentColumn: ColumnShape,
): string {
  const typed = ({ type, encoding }: ColumnShape) =>
    encoding === undefined ? type || 'no type' : `${type} in ${encoding.name}`;
  const advice =
    typed(column) === typed(parentColumn) ? 'text, whole numbers or UUIDs' : 'one type';
  return `${child}.${column.name} (${typed(column)}) and ${parent}.${parentColumn.name} (${typed(parentColumn)}) are of types that cannot be compared; refer by columns of ${advice}`;
}

export function withoutTenant(child: string, parent: string): string {
  return `${child} has no tenant column, and ${parent}, to which it refers, is of all tenants ("tenancy: none"), so nothing says whose its rows are; add the column, find it by a key of a table that has it, or leave it out`;
}

export function uncomparedTenant(
  child: string,
  parent: string,
  columns: readonly string[],
  tenant: string,
): string {
  const names = columns.join(', ');
  return `${child} refers to ${parent} by ${names}, which names a row only together with ${tenant}, and ${child} has no tenant column, so its rows may be another tenant's; add the column to ${child}, refer by a key of ${parent} that is unique by itself, or leave it out`;
}

/** A table to which "tenant" refers, and which has no tenant of its own. */
export function knowsNoTenant(child: string, parent: string, column: string): string {
  return `the tenant of ${child} is that of ${parent}, and ${parent} has no column ${column} and no "tenant" of its own; give it its tenant_column, or a "tenant" that leads to a table that has one`;
}

/** Each of its entries would tell the tenant of a row by another way. */
export function untoldTenant(table: string, column: string): string {
  return `several entries of ${table} may have the same row, so a row must say itself which tenant it is of, and ${table} has no column ${column}; give it its tenant_column, or a "tenant" that leads to a table that has one`;
}
