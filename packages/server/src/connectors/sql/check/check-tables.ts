// Checks whether the tables and columns of a plan exist, and that no table is named twice.
import type { CheckLine } from '../../../domain/target/connector.ts';
import {
  entryName,
  type SqlTargetConfig,
  type TableConfig,
  type TablesWork,
  type ViaConfig,
} from '../../../domain/target/target.ts';
import type { Catalogue, TableShape } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { withoutTenant } from '../plan/plan-misfits.ts';
import { rowKeyOf } from '../plan/row-key.ts';
import { tenantColumnOf } from '../plan/tenant-column.ts';
import { writeJsonPath } from '../write-json-path.ts';
import { checkRowKey } from './check-row-key.ts';
import { checkWhere, checkWhereBy } from './check-where.ts';
import { hasProblem, listNames, ok, problem } from './line.ts';
import {
  existing,
  missingColumn,
  missingTable,
  missingTenant,
  type OtherNames,
  otherNameOf,
} from './missing.ts';

export interface TablesFound {
  readonly lines: CheckLine[];
  /** Tables without any problem of this kind, and the parents by which they are found. */
  readonly sound: readonly TableConfig[];
}

export function checkTables(
  config: SqlTargetConfig,
  dialect: SqlDialect,
  work: TablesWork,
  catalogue: Catalogue,
  others: OtherNames,
): TablesFound {
  const found = work.tables.map((table) => {
    const shape = existing(catalogue, table.table);
    const lines =
      shape === undefined
        ? [missingTable(table.table, others)]
        : [
            ...checkColumns({ config, dialect, work, catalogue }, table, shape),
            ...checkRowKey(dialect, table, shape),
            ...checkWhere(dialect, table, shape, catalogue),
            ...checkWhereBy(dialect, table, shape, work, catalogue, others),
            ...checkTwins(table.table, shape, work, catalogue),
          ];
    const isSound = !hasProblem(lines);
    return {
      table,
      isSound,
      lines: isSound ? [...lines, ok(entryName(table), describe(table, shape))] : lines,
    };
  });
  return {
    lines: found.flatMap(({ lines }) => lines),
    sound: withTheirParents(
      found.filter(({ isSound }) => isSound).map(({ table }) => table),
      work.tables,
    ),
  };
}

interface Checked {
  readonly config: SqlTargetConfig;
  readonly dialect: SqlDialect;
  readonly work: TablesWork;
  readonly catalogue: Catalogue;
}

function checkColumns(
  { config, dialect, work, catalogue }: Checked,
  table: TableConfig,
  shape: TableShape,
): CheckLine[] {
  const used: [string, string][] = [
    ...table.match.map(({ type, column }): [string, string] => [column, `match.${type}`]),
    ...table.via.flatMap((via) =>
      Object.keys(via.columns).map((column): [string, string] => [column, `via ${via.parent}`]),
    ),
    ...tenantColumns(table),
    ...(table.key ?? []).map((column): [string, string] => [column, 'key']),
    ...Object.keys(table.where ?? {}).map((column): [string, string] => [column, 'where']),
  ];
  const tenant = tenantColumnOf(config.tenancy, table);
  const isNeeded = table.match.length > 0 && table.tenant === undefined;
  if (tenant !== null && table.tenantColumn !== null) used.push([tenant, 'tenant_column']);
  const untold =
    tenant !== null && table.tenantColumn === null && isNeeded && !shape.columns.has(tenant)
      ? [missingTenant(dialect, shape, tenant, catalogue)]
      : [];
  if (table.action.kind === 'overwrite')
    used.push(...Object.keys(table.action.columns).map((c): [string, string] => [c, 'overwrite']));

  const own = used.flatMap(([column, use]) =>
    shape.columns.has(column) ? [] : missingColumn(dialect, shape, column, use),
  );
  const parents = [
    ...missingAbove(dialect, table.via, catalogue, `the via of ${table.table}`),
    ...missingAbove(dialect, table.tenant ?? [], catalogue, `the tenant of ${table.table}`),
  ];
  const lost =
    tenant === null || table.tenant !== undefined || shape.columns.has(tenant)
      ? []
      : work.tables
          .filter(({ table: name, tenancy }) => tenancy === 'none' && name !== table.table)
          .filter(({ table: name }) => table.via.some(({ parent }) => parent === name))
          .map(({ table: parent }) => problem(table.table, withoutTenant(table.table, parent)));
  return [...own, ...untold, ...parents, ...lost];
}

export const tenantColumns = ({ tenant = [] }: Pick<TableConfig, 'tenant'>): [string, string][] =>
  tenant.flatMap(({ parent, columns }) =>
    Object.keys(columns).map((column): [string, string] => [column, `tenant ${parent}`]),
  );

/** Columns to which references lead, and that are not there. */
export function missingAbove(
  dialect: SqlDialect,
  references: readonly ViaConfig[],
  catalogue: Catalogue,
  use: string,
): CheckLine[] {
  return references.flatMap(({ parent, columns }) => {
    const shape = existing(catalogue, parent);
    if (shape === undefined) return [];
    return Object.values(columns)
      .filter((column) => !shape.columns.has(column))
      .map((column) => missingColumn(dialect, shape, column, use));
  });
}

/** Two names of one table, such as `users` and `public.users`: its rows would be erased twice. */
function checkTwins(
  name: string,
  shape: TableShape,
  work: TablesWork,
  catalogue: Catalogue,
): CheckLine[] {
  const others = [...work.tables, ...(work.leads ?? [])]
    .map(({ table }) => table)
    .concat(work.cascades);
  const twin = otherNameOf(name, others, catalogue);
  return [
    ...(twin === undefined ? [] : [problem(name, `is the same table as ${twin}; name it once`)]),
    ...shape.partOf
      .filter((other) => others.includes(other))
      .map((other) =>
        problem(name, `is a part of ${other}, whose rows include its own; declare one of them`),
      ),
  ];
}

function describe(table: TableConfig, shape: TableShape | undefined): string {
  const ways = [
    ...table.match.map(({ type, column, path, trim }) => {
      const place = path === undefined ? column : `${column} ${writeJsonPath(path)}`;
      return `${type} in ${place}${trim ? ', ignoring blanks around it' : ''}`;
    }),
    ...table.via.map(({ parent, entries = [parent] }) => `its ${entries.join(', ')}`),
  ];
  const actions = { delete: 'deleted', overwrite: 'overwritten', retain: 'kept and counted' };
  const own = shape === undefined ? undefined : rowKeyOf(table, shape);
  const names = own?.columns.map(({ name }) => name).join(', ');
  const key = own?.isUnnamed === true ? 'no unique key' : `key ${names}`;
  return `found by ${listNames(ways)}; ${key}; rows are ${actions[table.action.kind]}`;
}

/** A parent that is listed several times stands for all its entries. */
function withTheirParents(
  tables: readonly TableConfig[],
  all: readonly TableConfig[],
): readonly TableConfig[] {
  const missing = new Set(all.filter((one) => !tables.includes(one)).map(({ table }) => table));
  const kept = tables.filter(({ via }) => via.every(({ parent }) => !missing.has(parent)));
  return kept.length === tables.length ? tables : withTheirParents(kept, all);
}
