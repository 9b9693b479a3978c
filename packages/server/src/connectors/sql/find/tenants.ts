// The owner of a row by its tenant column: which values mean which controller, and how the database compares them.
import type { Failed, Subject } from '../../../domain/target/connector.ts';
import type { SqlTargetConfig, Tenancy } from '../../../domain/target/target.ts';
import { allTenantValues, tenantValues } from '../../../domain/target/tenant-value.ts';
import { canonicalUuid, holdsNumbers, readNumber, withoutEndZeros } from '../canonical-value.ts';
import type { ColumnShape } from '../catalogue.ts';
import type { Selected, SqlDialect } from '../dialect.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { SqlRow } from '../session.ts';
import { textAt } from '../statement.ts';

/** A table that has a tenant column, or has none. */
interface TenantTable {
  readonly name: string;
  readonly tenant: ColumnShape | null;
}

/** The values of a controller's rows. */
export type Tenant = readonly string[];

/** Empty if rows are not distinguished by a value, or the controller has no value of its own. */
export function tenantOf(tenancy: Tenancy, subject: Subject): Tenant {
  if (tenancy.way !== 'column' && tenancy.way !== 'parameter') return [];
  return tenantValues(tenancy.values, subject.controllerId);
}

/** The controller's id is the value of another controller: it must not get that one's rows. */
export function refuseWithoutTenant(tenancy: Tenancy, subject: Subject): Failed | undefined {
  if (tenancy.way !== 'column' && tenancy.way !== 'parameter') return undefined;
  if (tenantOf(tenancy, subject).length > 0) return undefined;
  const { controllerId } = subject;
  return {
    outcome: 'failed',
    code: 'tenant_misfit',
    detail: `the id of controller ${controllerId} stands for another controller here; list ${controllerId} under tenants with its own value`,
  };
}

/** The form in which tenants' values are compared in this column. */
export function tenantText(column: ColumnShape, text: string): string {
  if (column.kind === 'uuid') return canonicalUuid(text) ?? text;
  // 42.00 is 42 to the database.
  if (column.kind === 'decimal') return readNumber(text)?.canonical ?? text;
  return holdsNumbers(column) ? withoutEndZeros(text) : text;
}

export function tenantTexts(column: ColumnShape, tenants: readonly Tenant[]): string[] {
  return [...new Set(tenants.flat().map((text) => tenantText(column, text)))];
}

export function isTenant(
  column: ColumnShape,
  text: string | null,
  tenant: Tenant | undefined,
): boolean {
  if (text === null || tenant === undefined) return false;
  return tenant.some((own) => tenantText(column, text) === tenantText(column, own));
}

/** If the column cannot hold a tenant's value, the configuration is wrong: this is not "not found". */
export function refuseTenant(
  dialect: SqlDialect,
  config: SqlTargetConfig,
  tables: readonly TenantTable[],
  subject: Subject,
): Failed | undefined {
  const values = tenantOf(config.tenancy, subject);
  const without = refuseWithoutTenant(config.tenancy, subject);
  if (without !== undefined) return without;
  for (const { name, tenant } of tables) {
    if (tenant === null) continue;
    if (values.every((value) => dialect.canHoldText(tenant, tenantText(tenant, value)))) continue;
    return {
      outcome: 'failed',
      code: 'tenant_misfit',
      detail: `the column ${tenant.name} of ${name} cannot hold a value that stands for controller ${subject.controllerId}; correct "tenancy"`,
    };
  }
  return undefined;
}

/** Reads whether the database treats the row's tenant as equal to one of these. */
export function selectTaken(
  dialect: SqlDialect,
  tenant: ColumnShape,
  tenants: readonly Tenant[],
): Selected {
  const texts = tenantTexts(tenant, tenants);
  return {
    sql: (bind) => `CASE WHEN ${dialect.amongTexts(tenant, texts, bind)} THEN '1' ELSE '0' END`,
    name: 'u',
    isPlain: true,
  };
}

export const isTaken = (row: SqlRow): boolean => textAt(row, 'u') === '1';

/**
 * The database treats the row's tenant as a subject's although it is spelled differently ("ACME" in a column that
 * ignores case): the row may or may not be theirs, unless another controller has exactly this value.
 */
export function refuseSpelt(
  tenancy: Tenancy,
  tenants: readonly Tenant[],
  { name, tenant }: TenantTable,
  row: SqlRow,
): void {
  if (tenant === null || textAt(row, 't') === null) return;
  const values = tenancy.way === 'column' ? allTenantValues(tenancy.values) : [];
  if (isTenant(tenant, textAt(row, 't'), [...tenants.flat(), ...values])) return;
  throw new NeedsDecision(
    'tenant_mismatch',
    `a row of ${name} belongs to this request, and its tenant in "${tenant.name}" is spelt differently from the controller's, which the database takes for the same; correct the row, then release, or write the controller's value under "tenants" as the column has it, reload, then release, or, if it is another controller's, list that controller and its value under "tenants", reload, then release, or retain the task`,
  );
}
