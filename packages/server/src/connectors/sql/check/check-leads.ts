// Checks what tells the tenants of rows that have none themselves: the references, and the tables that are only read.
import type { CheckLine } from '../../../domain/target/connector.ts';
import type {
  SqlTargetConfig,
  TableConfig,
  TablesWork,
  ViaConfig,
} from '../../../domain/target/target.ts';
import type { Catalogue } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { keysOf } from '../plan/keys-of-via.ts';
import { knowsNoTenant } from '../plan/plan-misfits.ts';
import { tenantColumnOf } from '../plan/tenant-column.ts';
import { missingAbove, tenantColumns } from './check-tables.ts';
import { ok, problem } from './line.ts';
import { existing, missingColumn, missingTable, type OtherNames, otherNameOf } from './missing.ts';

export function checkLeads(
  config: SqlTargetConfig,
  dialect: SqlDialect,
  work: TablesWork,
  catalogue: Catalogue,
  { tables }: Pick<OtherNames, 'tables'>,
): CheckLine[] {
  const { tenancy } = config;
  if (tenancy.way !== 'column') return [];
  const leads = work.leads ?? [];
  const all = [...work.tables, ...leads];
  const lines = leads.flatMap((lead): CheckLine[] => {
    const { table, tenantColumn } = lead;
    const shape = existing(catalogue, table);
    if (shape === undefined) return [missingTable(table, { kinds: new Map(), tables })];
    const names = [...work.tables.map((one) => one.table), ...work.cascades];
    const twin = otherNameOf(table, names, catalogue);
    const used: [string, string][] = [
      ...(tenantColumn === null ? [] : [[tenantColumn, 'tenant_column'] as [string, string]]),
      ...tenantColumns(lead),
    ];
    return [
      ...(twin === undefined
        ? []
        : [problem(table, `is the same table as ${twin}; name that one under "tenant"`)]),
      ...used.flatMap(([column, use]) =>
        shape.columns.has(column) ? [] : missingColumn(dialect, shape, column, use),
      ),
      ...missingAbove(dialect, lead.tenant ?? [], catalogue, `the tenant of ${table}`),
      ...(work.cascades.includes(table)
        ? [
            problem(
              table,
              'is only read (action: lead), and under "cascades": take it from there, or say what happens to its rows',
            ),
          ]
        : []),
    ];
  });
  for (const { table, tenant = [] } of all)
    for (const { parent } of tenant) {
      const shape = existing(catalogue, parent);
      const knows = all
        .filter((one) => one.table === parent)
        .some(
          (one) =>
            one.tenant !== undefined || shape?.columns.has(tenantColumnOf(tenancy, one) ?? ''),
        );
      if (shape !== undefined && !knows)
        lines.push(problem(table, knowsNoTenant(table, parent, tenancy.column)));
    }
  return [
    ...lines,
    ...work.tables.flatMap((table) => checkLost(table, work, catalogue)),
    ...(lines.length > 0
      ? []
      : leads.map(({ table }) => ok(table, 'only read, for the tenants of other rows'))),
  ];
}

/** Rows of others would lose their tenant with the row to which they refer, and nobody could erase them any more. */
function checkLost(table: TableConfig, work: TablesWork, catalogue: Catalogue): CheckLine[] {
  return (table.tenant ?? []).flatMap((reference) => {
    const { parent } = reference;
    const shape = existing(catalogue, parent);
    const isDeleted = work.tables.some(
      (one) => one.table === parent && one.action.kind === 'delete',
    );
    if (!isDeleted || shape === undefined) return [];
    if (keysOf(table.table, reference, shape).length > 0) return [];
    if (table.via.some((via) => isSame(via, reference))) return [];
    const columns = Object.keys(reference.columns).join(', ');
    return [
      problem(
        table.table,
        `the tenant of its rows is that of ${parent}, from which rows are deleted, and ${columns} is no foreign key: other people's rows would lose their tenant with it; find its rows by ${parent} too (via), make it a foreign key, or overwrite ${parent} instead`,
      ),
    ];
  });
}

function isSame(one: ViaConfig, other: ViaConfig): boolean {
  const pairs = Object.entries(one.columns);
  return (
    one.parent === other.parent &&
    pairs.length === Object.keys(other.columns).length &&
    pairs.every(([from, to]) => other.columns[from] === to)
  );
}
