import type { TableConfig, Tenancy } from '../../../domain/target/target.ts';
import type { PlannedTable } from './plan.ts';

/** The name that a table's tenant column would have; null if rows are not told apart by a column. */
export function tenantColumnOf(
  tenancy: Tenancy,
  { tenantColumn, tenancy: own }: Pick<TableConfig, 'tenantColumn' | 'tenancy'>,
): string | null {
  if (own === 'none') return null;
  return tenancy.way === 'column' ? (tenantColumn ?? tenancy.column) : null;
}

export const isLead = ({ match, via }: Pick<TableConfig, 'match' | 'via'>) =>
  match.length === 0 && via.length === 0;

/** Whether a row says itself which tenant it is of, and has it not only from the row from which it was reached. */
export function tellsTenant({ tenant, tenantBy }: Pick<PlannedTable, 'tenant' | 'tenantBy'>) {
  return tenant !== null || tenantBy.length > 0;
}
