import type { TableConfig, Tenancy } from '../../../domain/target.ts';

/** The name that a table's tenant column would have; null where rows are not told apart by a column. */
export function tenantColumnOf(
  tenancy: Tenancy,
  { tenantColumn }: Pick<TableConfig, 'tenantColumn'>,
): string | null {
  return tenancy.way === 'column' ? (tenantColumn ?? tenancy.column) : null;
}
