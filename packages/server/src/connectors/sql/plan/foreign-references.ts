// What a plan has to know about foreign keys, besides the references that it declares.
import type { TableConfig, TablesWork, Tenancy, ViaConfig } from '../../../domain/target/target.ts';
import type { ForeignKey } from '../catalogue.ts';
import type { Schema } from '../dialect.ts';
import { detachableColumn } from './detached-columns.ts';
import { findCascades } from './find-cascades.ts';
import { sortParentsFirst } from './sort-parents-first.ts';

/** Listed tables from which cascades delete are erased by separate statements, before their parents. */
export function cascadedTables(work: TablesWork, { catalogue }: Schema): TableConfig[] {
  const declared = new Set(work.tables.map(({ table }) => table));
  const tables = new Map<string, TableConfig>();
  for (const { key, effect } of findCascades(catalogue, deletedFrom(work.tables), work)) {
    const { table } = key;
    if (effect !== 'deleted' || declared.has(table) || !work.cascades.includes(table)) continue;
    const via = [...(tables.get(table)?.via ?? []), toVia(key)];
    tables.set(table, cascadedTable(table, via));
  }
  const named = [...tables.values()].map((config) => ({
    config,
    name: config.table,
    vias: config.via.map(({ parent }) => ({ entries: [parent] })),
  }));
  return sortParentsFirst(named)
    .reverse()
    .map(({ config }) => config);
}

/** The configuration allows its rows to be deleted with their parents, even if they are also tied to other people. */
export function cascadedTable(table: string, via: TableConfig['via']): TableConfig {
  return {
    table,
    key: null,
    tenantColumn: null,
    match: [],
    via,
    action: { kind: 'delete' },
    shared: 'erase',
    whenUnmatched: 'hold',
  };
}

/** Only of tables that the plan names in some way; others may not be readable. */
export function foreignReferences(
  work: TablesWork,
  { catalogue }: Schema,
  configs: readonly TableConfig[],
): ForeignKey[] {
  const { cascades, detach = [] } = work;
  const named = new Set([
    ...configs.map(({ table }) => table),
    ...cascades,
    ...detach.map(({ table }) => table),
  ]);
  return deletedFrom(configs)
    .flatMap((table) => catalogue.get(table)?.referencedBy ?? [])
    .filter(({ table, columns }) => named.has(table) && columns.length > 0);
}

/**
 * For each table that only "detach" or "cascades" names, its foreign keys to the plan's tables: they
 * determine the tenants of its rows.
 */
export function undeclaredReferences(
  { way }: Tenancy,
  { cascades, detach = [] }: TablesWork,
  { catalogue }: Schema,
  configs: readonly TableConfig[],
): ReadonlyMap<string, readonly ViaConfig[]> {
  const names = [...cascades, ...detach.map(({ table }) => table)].filter(
    (name) => way === 'column' && !configs.some(({ table }) => table === name),
  );
  // A table that all tenants share does not determine a tenant.
  const telling = configs.filter(({ tenancy }) => tenancy !== 'none').map(({ table }) => table);
  const keys = [...new Set(telling)].flatMap((table) => catalogue.get(table)?.referencedBy ?? []);
  return new Map(
    names.map((name) => [
      name,
      keys.filter(({ table, columns }) => table === name && columns.length > 0).map(toVia),
    ]),
  );
}

/** References of tables that the plan does not name, in the form of "detach". */
export function refusingReferences(
  { catalogue }: Schema,
  configs: readonly TableConfig[],
): string[] {
  const declared = new Set(configs.map(({ table }) => table));
  return deletedFrom(configs)
    .flatMap((table) => catalogue.get(table)?.referencedBy ?? [])
    .filter(({ table, onDelete }) => !declared.has(table) && /no_action|restrict/.test(onDelete))
    .flatMap((key) => {
      const column = detachableColumn(key, catalogue);
      return column === undefined ? [] : [`${key.table}.${column}`];
    });
}

/** Each table once, however often it is listed. */
function deletedFrom(configs: readonly TableConfig[]): string[] {
  const deleted = configs.filter(({ action }) => action.kind === 'delete');
  return [...new Set(deleted.map(({ table }) => table))];
}

export function toVia(key: ForeignKey): ViaConfig {
  const columns = key.columns.map((column, place): [string, string] => [
    column,
    key.referencedColumns[place] ?? '',
  ]);
  return { parent: key.referenced, columns: Object.fromEntries(columns) };
}
