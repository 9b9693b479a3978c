import type { SqlTargetConfig, TableConfig, Tenancy } from '../../../domain/target/target.ts';

/** The name that a table's tenant column would have; null if rows are not told apart by a column. */
export function tenantColumnOf(
  tenancy: Tenancy,
  { tenantColumn, tenancy: own }: Pick<TableConfig, 'tenantColumn' | 'tenancy'>,
): string | null {
  if (own === 'none') return null;
  return tenancy.way === 'column' ? (tenantColumn ?? tenancy.column) : null;
}

/** Of a table that may be declared, with a name of its own, or may only be looked up in. */
export function tenantColumnIn({ tenancy, work }: SqlTargetConfig, table: string): string | null {
  const tables = work.kind === 'tables' ? work.tables : [];
  const declared = tables.find((one) => one.table === table);
  return tenantColumnOf(tenancy, declared ?? { tenantColumn: null });
}
