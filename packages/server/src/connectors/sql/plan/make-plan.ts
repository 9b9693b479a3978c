// Joins the configuration with the catalogue. A mismatch stops the target: nothing is guessed.
import { areBeside } from '../../../domain/target/beside.ts';
import { isOfList } from '../../../domain/target/json-path.ts';
import { leadTable } from '../../../domain/target/lead-table.ts';
import {
  entryName,
  type SqlTargetConfig,
  type TableConfig,
  type TablesWork,
  type ViaConfig,
} from '../../../domain/target/target.ts';
import type { ColumnShape, TableShape } from '../catalogue.ts';
import { quoteTable, type Schema, type SqlDialect, updateOf } from '../dialect.ts';
import { comparingTenants } from './compared-tenants.ts';
import { findFollowers } from './find-followers.ts';
import {
  cascadedTable,
  cascadedTables,
  foreignReferences,
  refusingReferences,
  toVia,
  undeclaredReferences,
} from './foreign-references.ts';
import type { Plan, PlannedMatch, PlannedTable, PlannedVia } from './plan.ts';
import { inCircle, planMisfit, untoldTenant } from './plan-misfits.ts';
import { planReferences } from './plan-references.ts';
import { planTenantBy, planVia, positionsOf, type ViaParts } from './plan-via.ts';
import { columnOf, plannedWhere } from './planned-where.ts';
import { referredOverwrites, writeReferred } from './referred-overwrites.ts';
import { refuseUnnamed } from './refuse-unnamed.ts';
import { type RowKey, rowKeyOf } from './row-key.ts';
import { selfKeysOf } from './self-keys.ts';
import { sortParentsFirst } from './sort-parents-first.ts';
import { isLead, tellsTenant, tenantColumnOf } from './tenant-column.ts';
import { isUnique } from './uniqueness.ts';

export function makePlan(
  config: SqlTargetConfig,
  work: TablesWork,
  schema: Schema,
  dialect: SqlDialect,
): Plan {
  const cascaded = cascadedTables(work, schema);
  const configs = comparingTenants(config, [...cascaded, ...work.tables], schema);
  const leads = (work.leads ?? []).map(leadTable);
  const known = [...configs, ...leads];
  const foreignKeys = foreignReferences(work, schema, configs);
  const undeclared = undeclaredReferences(config.tenancy, work, schema, configs);
  const referring = [...foreignKeys.map(toVia), ...[...undeclared.values()].flat()];
  const layouts = layoutsOf(known, referring, schema);
  const byName = new Map(known.map((table) => [table.table, table]));
  const tenantOf = (table: TableConfig): ColumnShape | null => {
    const name = tenantColumnOf(config.tenancy, table);
    if (name === null) return null;
    const column = shapeOf(schema, table.table).columns.get(name);
    if (column !== undefined) return column;
    // If rows are found only by an identity, nothing else determines whose they are.
    if (table.tenantColumn !== null || (table.match.length > 0 && table.tenant === undefined))
      throw planMisfit(`the table ${table.table} has no tenant column ${name}`);
    return null;
  };

  const parts: ViaParts = {
    config,
    schema,
    dialect,
    configs,
    cascaded,
    byName,
    layouts,
    shapeOf: (table) => shapeOf(schema, table),
    tenantOf,
  };

  const followersOf = (table: string, columns: readonly string[]) =>
    findFollowers(table, columns, schema.catalogue, (name) => quoteTable(dialect, name));

  const planTable = (table: TableConfig): PlannedTable => {
    const shape = shapeOf(schema, table.table);
    const key = keyOf(table, shape);
    const matches = plannedMatches(table, shape, schema, dialect);
    const vias = table.via.map((via) => planVia(parts, table, via));
    const overwritten = table.action.kind === 'overwrite' ? Object.keys(table.action.columns) : [];
    return {
      name: entryName(table),
      table: table.table,
      schema: shape.schema,
      where: plannedWhere(table, shape, dialect, parts.shapeOf),
      sqlName: quoteTable(dialect, table.table),
      beside: configs.filter((other) => areBeside(table, other)).map(entryName),
      forShare: shape.isLockable === false ? '' : dialect.forShare,
      update: updateOf(dialect, shape),
      columns: (layouts.get(table.table) ?? []).map((name) => columnOf(shape, name)),
      keySize: key.columns.length,
      isUnnamed: key.isUnnamed,
      matches,
      tenant: tenantOf(table),
      tenantBy: (table.tenant ?? []).map((via) => planTenantBy(parts, table, via)),
      vias,
      action: table.action,
      overwritten: new Map(overwritten.map((name) => [name, columnOf(shape, name)])),
      distinct: new Set(
        shape.rules.flatMap(({ columns, computedFrom }) => [...columns, ...computedFrom]),
      ),
      followers: followersOf(table.table, overwritten),
      shared: table.shared,
      hasSeveralOwners: hasSeveralOwners(matches, vias),
      whenUnmatched: table.whenUnmatched,
      selfKeys: selfKeysOf(shape, quoteTable(dialect, table.table), (name) =>
        columnOf(shape, name),
      ),
      isCascaded: cascaded.some((one) => one.table === table.table),
    };
  };
  const planned = configs.map(planTable);

  const { references, names, stuck } = planReferences(
    {
      config,
      work,
      dialect,
      planned,
      followersOf,
      shapeOf: parts.shapeOf,
      positionsOf: (table, key) => positionsOf(parts, table, toVia(key)),
      viasOf: (table) =>
        (undeclared.get(table) ?? []).map((via) =>
          planVia(parts, cascadedTable(table, [via]), via),
        ),
    },
    foreignKeys,
  );
  if (stuck.length > 0) throw planMisfit(inCircle(stuck));
  refuseUnnamed(planned, references);
  for (const table of planned)
    if (config.tenancy.way === 'column' && table.beside.length > 0 && !tellsTenant(table))
      throw planMisfit(untoldTenant(table.table, config.tenancy.column));
  return {
    tables: sortParentsFirst(planned),
    leads: leads.map(planTable),
    erased: names.flatMap((name) =>
      planned.filter(({ table, action }) => table === name && action.kind !== 'retain'),
    ),
    references,
    referredOverwrites: referredOverwrites(work, schema.catalogue).map(writeReferred),
    isRestricted: configs.some(
      ({ table, action }) =>
        action.kind === 'delete' &&
        shapeOf(schema, table).referencedBy.some(({ onDelete }) => onDelete === 'restrict'),
    ),
    refusing: refusingReferences(schema, configs),
  };
}

/** The columns of each table's KeyRows: its key, and the columns that others refer to. */
function layoutsOf(
  configs: readonly TableConfig[],
  references: readonly ViaConfig[],
  schema: Schema,
): ReadonlyMap<string, readonly string[]> {
  const referenced = new Map<string, Set<string>>();
  const declared = configs.flatMap(({ via, tenant = [] }) => [...via, ...tenant]);
  for (const { parent, columns } of [...declared, ...references]) {
    const names = referenced.get(parent) ?? new Set();
    referenced.set(parent, names);
    for (const name of Object.values(columns)) names.add(name);
  }
  return new Map(
    configs.map((table) => {
      const { columns } = keyOf(table, shapeOf(schema, table.table));
      const key = columns.map(({ name }) => name);
      return [table.table, [...new Set([...key, ...(referenced.get(table.table) ?? [])])]];
    }),
  );
}

/** Rows are erased by it, so it must identify exactly one row. Those of a lead are only locked by it. */
function keyOf(table: TableConfig, shape: TableShape): RowKey {
  for (const name of table.key ?? []) columnOf(shape, name);
  const key = rowKeyOf(table, shape);
  if (isLead(table) && key?.isUnnamed !== false) return { columns: [], isUnnamed: true };
  if (key === undefined)
    throw planMisfit(`the table ${table.table} has no primary key: name its "key" columns`);
  const names = key.columns.map(({ name }) => name);
  if (!key.isUnnamed && !isUnique(shape, names))
    throw planMisfit(`the key (${names.join(', ')}) of ${table.table} is not unique`);
  return key;
}

/** The rows may also be tied to other people: by a second column of the same type, or by another way. */
function hasSeveralOwners(matches: readonly PlannedMatch[], vias: readonly PlannedVia[]): boolean {
  const types = new Set(matches.map(({ type }) => type));
  return (
    matches.length > types.size ||
    matches.some(({ path }) => isOfList(path)) ||
    vias.length > 1 ||
    (matches.length > 0 && vias.length > 0) ||
    vias.some(({ uniqueness }) => uniqueness === 'none')
  );
}

function shapeOf(schema: Schema, table: string): TableShape {
  const shape = schema.catalogue.get(table);
  if (shape === undefined)
    throw planMisfit(`the table ${table} does not exist, or may not be read`);
  return shape;
}

function plannedMatches(
  table: TableConfig,
  shape: TableShape,
  schema: Schema,
  { typing }: SqlDialect,
): PlannedMatch[] {
  return table.match.map(({ type, column: name, path = null, trim = false }) => {
    const column = columnOf(shape, name);
    if (column.kind === 'binary' && typing.isByColumn)
      throw planMisfit(
        `the column ${name} of ${table.table} holds bytes, which no identity matches`,
      );
    const isLowerIndexed = schema.lowerIndexed.has(`${table.table}.${name}`);
    return { type, column, path, trim, isLowerIndexed };
  });
}
