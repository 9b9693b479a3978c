// The table of a lookup (`resolve`), with the tables that tell the tenants of its rows.
import { leadTable } from '../../../../domain/target/lead-table.ts';
import type {
  LeadConfig,
  ResolveConfig,
  SqlTargetConfig,
} from '../../../../domain/target/target.ts';
import { quoteTable, type Schema, type SqlDialect } from '../../dialect.ts';
import { makePlan } from '../../plan/make-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import { planMisfit } from '../../plan/plan-misfits.ts';
import { columnOf, plannedWhere } from '../../plan/planned-where.ts';
import { tenantColumnOf } from '../../plan/tenant-column.ts';
import type { MatchedTable } from '../match-identities.ts';

/** The tables to which its rows refer for their tenant, over any number of steps. */
export function lookupLeads(
  config: SqlTargetConfig,
  { table }: Pick<ResolveConfig, 'table'>,
): LeadConfig[] {
  const all: LeadConfig[] = [declaredTable(config, table)];
  for (const { tenant = [] } of all)
    for (const { parent } of tenant)
      if (!all.some((one) => one.table === parent)) all.push(declaredTable(config, parent));
  return all.slice(1);
}

/** It may be declared, with its own name for the column or with references, or be used for lookups alone. */
export function declaredTable({ work }: SqlTargetConfig, table: string) {
  const { tables, leads = [] } = work.kind === 'tables' ? work : { tables: [] };
  const all = [...tables, ...leads.map(leadTable)];
  return all.find((one) => one.table === table) ?? leadTable({ table, tenantColumn: null });
}

export interface LookupTable {
  readonly table: MatchedTable;
  /** Of the tables that tell tenants. */
  readonly plan: Plan;
}

export function planLookup(
  config: SqlTargetConfig,
  { table, where = {} }: Pick<ResolveConfig, 'table' | 'where'>,
  schema: Schema,
  dialect: SqlDialect,
): LookupTable {
  const shape = schema.catalogue.get(table);
  if (shape === undefined) throw planMisfit(`the table ${table}, of "resolve", is not there`);
  const declared = declaredTable(config, table);
  const leads = declared.tenant === undefined ? [] : [declared, ...lookupLeads(config, { table })];
  const work = { kind: 'tables', tables: [], cascades: [], triggers: [] } as const;
  const plan = makePlan(config, { ...work, leads: leads.map(withoutEntry) }, schema, dialect);
  const [told] = plan.leads;
  const name = told === undefined ? tenantColumnOf(config.tenancy, declared) : null;
  return {
    table: {
      name: table,
      sqlName: quoteTable(dialect, table),
      tenant: name === null ? (told?.tenant ?? null) : columnOf(shape, name),
      tenantBy: told?.tenantBy ?? [],
      where: plannedWhere({ table, where }, shape, dialect, () => shape),
    },
    plan,
  };
}

/** All entries of a table find the tenants of its rows in the same way. */
function withoutEntry({ table, tenantColumn, tenant }: LeadConfig): LeadConfig {
  return { table, tenantColumn, ...(tenant !== undefined && { tenant }) };
}
