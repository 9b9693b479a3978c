// Where a controller has several tenants, it is not enough that a row and the one to which it refers are both the
// controller's: by a number that is unique only within a tenant, it refers to the row of its own tenant.
import type { SqlTargetConfig, TableConfig, ViaConfig } from '../../../domain/target/target.ts';
import type { Schema } from '../dialect.ts';
import { tenantColumnOf } from './tenant-column.ts';
import { isUnique } from './uniqueness.ts';

/** The tables, with the tenant's columns as a part of each reference whose columns do not name one row. */
export function comparingTenants(
  { tenancy }: SqlTargetConfig,
  tables: readonly TableConfig[],
  { catalogue }: Schema,
): readonly TableConfig[] {
  if (!hasSeveralTenants(tenancy)) return tables;
  const columnOf = (table: TableConfig | undefined): string | undefined => {
    const name = table === undefined ? null : tenantColumnOf(tenancy, table);
    if (name === null || table === undefined || table.tenant !== undefined) return undefined;
    return catalogue.get(table.table)?.columns.has(name) ? name : undefined;
  };
  return tables.map((table) => ({
    ...table,
    via: table.via.map((via): ViaConfig => {
      const shape = catalogue.get(via.parent);
      const own = columnOf(table);
      const theirs = columnOf(tables.find((one) => one.table === via.parent));
      if (own === undefined || theirs === undefined || shape === undefined) return via;
      const referenced = Object.values(via.columns);
      if (isUnique(shape, referenced) || referenced.includes(theirs)) return via;
      return { ...via, columns: { ...via.columns, [own]: theirs } };
    }),
  }));
}

export function hasSeveralTenants(tenancy: SqlTargetConfig['tenancy']): boolean {
  return (
    tenancy.way === 'column' &&
    Object.values(tenancy.values).some((value) => typeof value !== 'string')
  );
}
