// Joins the configuration with the catalogue. A mismatch stops the target: nothing is guessed.
import {
  entryName,
  type SqlTargetConfig,
  type TableConfig,
  type TablesWork,
  type ViaConfig,
} from '../../../domain/target/target.ts';
import type { ColumnShape, TableShape } from '../catalogue.ts';
import { quoteTable, type Schema, type SqlDialect, updateOf } from '../dialect.ts';
import { mayMeanSeveral } from './compare-columns.ts';
import { compareReference } from './compare-reference.ts';
import { descendingEntries } from './descending-entries.ts';
import { findFollowers } from './find-followers.ts';
import {
  cascadedTable,
  cascadedTables,
  foreignReferences,
  refusingReferences,
  toVia,
  undeclaredReferences,
} from './foreign-references.ts';
import { keysOf, reverseKeysOf } from './keys-of-via.ts';
import type { Plan, PlannedMatch, PlannedTable, PlannedVia } from './plan.ts';
import {
  inCircle,
  incomparable,
  planMisfit,
  uncomparedTenant,
  withoutTenant,
} from './plan-misfits.ts';
import { planReferences } from './plan-references.ts';
import { columnOf, plannedWhere } from './planned-where.ts';
import { referredOverwrites, writeReferred } from './referred-overwrites.ts';
import { refuseUnnamed } from './refuse-unnamed.ts';
import { type RowKey, rowKeyOf } from './row-key.ts';
import { selfKeysOf } from './self-keys.ts';
import { sortParentsFirst } from './sort-parents-first.ts';
import { tenantColumnOf } from './tenant-column.ts';
import { isUnique, uniquenessOf } from './uniqueness.ts';

export function makePlan(
  config: SqlTargetConfig,
  work: TablesWork,
  schema: Schema,
  dialect: SqlDialect,
): Plan {
  const cascaded = cascadedTables(work, schema);
  const configs = [...cascaded, ...work.tables];
  const foreignKeys = foreignReferences(work, schema, configs);
  const undeclared = undeclaredReferences(config.tenancy, work, schema, configs);
  const referring = [...foreignKeys.map(toVia), ...[...undeclared.values()].flat()];
  const layouts = layoutsOf(configs, referring, schema);
  const byName = new Map(configs.map((table) => [table.table, table]));
  // A cascade deletes rows together with deleted parents, not with those that another entry keeps.
  const entriesOf = (child: TableConfig, { parent, entries }: ViaConfig) =>
    configs
      .filter((one) => one.table === parent && (entries?.includes(entryName(one)) ?? true))
      .filter(({ action }) => !cascaded.includes(child) || action.kind === 'delete')
      .map(entryName);

  const tenantOf = (table: TableConfig): ColumnShape | null => {
    const name = tenantColumnOf(config.tenancy, table);
    if (name === null) return null;
    const column = shapeOf(schema, table.table).columns.get(name);
    if (column !== undefined) return column;
    // If rows are found only by an identity, nothing else determines whose they are.
    if (table.match.length > 0 || table.tenantColumn !== null)
      throw planMisfit(`the table ${table.table} has no tenant column ${name}`);
    return null;
  };

  const positionsOf = (child: string, via: ViaConfig): number[] =>
    Object.values(via.columns).map((name) => {
      const position = layouts.get(via.parent)?.indexOf(name) ?? -1;
      if (position < 0) throw planMisfit(`${child} refers to ${via.parent}, which is not declared`);
      return position;
    });

  const planVia = (child: TableConfig, via: ViaConfig): PlannedVia => {
    const shape = shapeOf(schema, child.table);
    const parentShape = shapeOf(schema, via.parent);
    const keys = keysOf(child.table, via, parentShape);
    const columns = Object.entries(via.columns).map(([from, to]) => ({
      column: columnOf(shape, from),
      parentColumn: columnOf(parentShape, to),
    }));
    const names = {
      parent: quoteTable(dialect, via.parent),
      child: quoteTable(dialect, child.table),
    };
    const reverse = keys.length > 0 ? [] : reverseKeysOf(shape, via);
    const { comparisons, joined } = compareReference(
      columns,
      keys[0] ?? reverse[0],
      names,
      reverse.length > 0,
    );
    const pairs = columns.map(({ column, parentColumn }, place) => {
      const comparison = comparisons[place];
      if (comparison === undefined)
        throw planMisfit(incomparable(child.table, column, via.parent, parentColumn));
      return { column, parentColumn, comparison };
    });
    const parent = byName.get(via.parent);
    const parentTenant = parent === undefined ? null : tenantOf(parent);
    if (parent?.tenancy === 'none' && tenantOf(child) === null)
      throw planMisfit(withoutTenant(child.table, parent.table));
    const comparedTenant = tenantOf(child) === null ? null : (parentTenant?.name ?? null);
    const isLoose = pairs.some(({ comparison, parentColumn, column }) =>
      mayMeanSeveral(comparison, parentColumn, column),
    );
    const referenced = Object.values(via.columns);
    const strictly = uniquenessOf(parentShape, referenced, comparedTenant);
    const isReverse = strictly === 'none' && isUnique(shape, Object.keys(via.columns));
    if (strictly === 'none' && !isReverse && comparedTenant === null && parentTenant !== null)
      if (isUnique(parentShape, [...referenced, parentTenant.name]))
        throw planMisfit(
          uncomparedTenant(child.table, via.parent, Object.values(via.columns), parentTenant.name),
        );
    return {
      parent: via.parent,
      entries: entriesOf(child, via),
      descending: descendingEntries(
        child,
        via,
        configs,
        shape,
        tenantOf(child) !== null && comparedTenant === null,
      ),
      columns: pairs.map(({ column }) => column),
      positions: positionsOf(child.table, via),
      parentColumns: pairs.map(({ parentColumn }) => parentColumn),
      comparisons: pairs.map(({ comparison }) => comparison),
      uniqueness: isLoose ? 'none' : strictly,
      namesOneRow: strictly === 'alone',
      comparesTenant: comparedTenant !== null,
      ...(parent?.tenancy === 'none' && { isOfAllTenants: true }),
      isReverse,
      isForeignKey: keys.some(({ rowsIn }) => rowsIn === undefined),
      isTakenForEqual: keys.length > 0 || reverse.length > 0,
      joined,
    };
  };

  const followersOf = (table: string, columns: readonly string[]) =>
    findFollowers(table, columns, schema.catalogue, (name) => quoteTable(dialect, name));

  const planned = configs.map((table): PlannedTable => {
    const shape = shapeOf(schema, table.table);
    const key = keyOf(table, shape);
    const matches = plannedMatches(table, shape, schema, dialect);
    const vias = table.via.map((via) => planVia(table, via));
    const overwritten = table.action.kind === 'overwrite' ? Object.keys(table.action.columns) : [];
    return {
      name: entryName(table),
      table: table.table,
      schema: shape.schema,
      where: plannedWhere(table, shape, dialect),
      sqlName: quoteTable(dialect, table.table),
      forShare: shape.isLockable === false ? '' : dialect.forShare,
      update: updateOf(dialect, shape),
      columns: (layouts.get(table.table) ?? []).map((name) => columnOf(shape, name)),
      keySize: key.columns.length,
      isUnnamed: key.isUnnamed,
      matches,
      tenant: tenantOf(table),
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
      isCascaded: cascaded.includes(table),
    };
  });

  const { references, names, stuck } = planReferences(
    {
      config,
      work,
      dialect,
      planned,
      followersOf,
      shapeOf: (table) => shapeOf(schema, table),
      positionsOf: (table, key) => positionsOf(table, toVia(key)),
      viasOf: (table) =>
        (undeclared.get(table) ?? []).map((via) => planVia(cascadedTable(table, [via]), via)),
    },
    foreignKeys,
  );
  if (stuck.length > 0) throw planMisfit(inCircle(stuck));
  refuseUnnamed(planned, references);
  return {
    tables: sortParentsFirst(planned),
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
  for (const { parent, columns } of [...configs.flatMap(({ via }) => via), ...references]) {
    const names = referenced.get(parent) ?? new Set();
    referenced.set(parent, names);
    for (const name of Object.values(columns)) names.add(name);
  }
  return new Map(
    configs.map((table) => {
      const key = keyOf(table, shapeOf(schema, table.table)).columns.map(({ name }) => name);
      return [table.table, [...new Set([...key, ...(referenced.get(table.table) ?? [])])]];
    }),
  );
}

/** Rows are erased by it, so it must identify exactly one row. */
function keyOf(table: TableConfig, shape: TableShape): RowKey {
  for (const name of table.key ?? []) columnOf(shape, name);
  const key = rowKeyOf(table, shape);
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
