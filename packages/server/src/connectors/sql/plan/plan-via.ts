// References by which rows are found, or have a tenant, with what the catalogue knows about their columns.
import { areBeside } from '../../../domain/target/beside.ts';
import {
  entryName,
  type SqlTargetConfig,
  type TableConfig,
  type ViaConfig,
} from '../../../domain/target/target.ts';
import type { ColumnShape, ForeignKey, TableShape } from '../catalogue.ts';
import { quoteTable, type Schema, type SqlDialect } from '../dialect.ts';
import { mayMeanSeveral } from './compare-columns.ts';
import { compareReference } from './compare-reference.ts';
import { hasSeveralTenants } from './compared-tenants.ts';
import { descendingEntries } from './descending-entries.ts';
import { keysOf, reverseKeysOf } from './keys-of-via.ts';
import type { PlannedVia } from './plan.ts';
import {
  incomparable,
  knowsNoTenant,
  planMisfit,
  uncomparedTenant,
  withoutTenant,
} from './plan-misfits.ts';
import { columnOf } from './planned-where.ts';
import { isUnique, uniquenessOf } from './uniqueness.ts';

export interface ViaParts {
  readonly config: SqlTargetConfig;
  readonly schema: Schema;
  readonly dialect: SqlDialect;
  /** Tables from which rows may be erased, and those of them that only cascades reach. */
  readonly configs: readonly TableConfig[];
  readonly cascaded: readonly TableConfig[];
  /** The same by name, and leads. */
  readonly byName: ReadonlyMap<string, TableConfig>;
  /** The columns of each table's KeyRows. */
  readonly layouts: ReadonlyMap<string, readonly string[]>;
  shapeOf(table: string): TableShape;
  tenantOf(table: TableConfig): ColumnShape | null;
}

export function planVia(parts: ViaParts, child: TableConfig, via: ViaConfig): PlannedVia {
  const { config, configs, byName, tenantOf } = parts;
  const tells = tenantOf(child) !== null || child.tenant !== undefined;
  const [shape, parentShape] = [parts.shapeOf(child.table), parts.shapeOf(via.parent)];
  const { columns, parentColumns, comparisons, ...compared } = compare(parts, child, via);
  const parent = byName.get(via.parent);
  const parentTenant = parent === undefined ? null : tenantOf(parent);
  if (parent?.tenancy === 'none' && !tells)
    throw planMisfit(withoutTenant(child.table, parent.table));
  // Where it may be NULL, and the tenant is that of another row, a unique index does not tell the rows apart.
  const isAlwaysThere = parent?.tenant === undefined || parentTenant?.isNullable === false;
  // Rows of one controller may be of several tenants: then the tenant's columns are a part of the reference itself.
  const isCompared = tells && isAlwaysThere && !hasSeveralTenants(config.tenancy);
  const comparedTenant = isCompared ? (parentTenant?.name ?? null) : null;
  const isLoose = comparisons.some((comparison, place) => {
    const [parentColumn, column] = [parentColumns[place], columns[place]];
    return parentColumn && column && mayMeanSeveral(comparison, parentColumn, column);
  });
  const referenced = Object.values(via.columns);
  const strictly = uniquenessOf(parentShape, referenced, comparedTenant);
  const isReverse = strictly === 'none' && isUnique(shape, Object.keys(via.columns));
  if (strictly === 'none' && !isReverse && comparedTenant === null && parentTenant !== null)
    if (isUnique(parentShape, [...referenced, parentTenant.name]))
      throw planMisfit(
        uncomparedTenant(child.table, via.parent, Object.values(via.columns), parentTenant.name),
      );
  const hasOwnTenant = tells && comparedTenant === null;
  return {
    parent: via.parent,
    entries: entriesOf(parts, child, via),
    descending: descendingEntries(child, via, configs, shape, hasOwnTenant),
    beside: besideMeant(parts, via),
    columns,
    positions: positionsOf(parts, child.table, via),
    parentColumns,
    comparisons,
    uniqueness: isLoose ? 'none' : strictly,
    namesOneRow: strictly === 'alone',
    comparesTenant: comparedTenant !== null,
    ...(parent?.tenancy === 'none' && { isOfAllTenants: true }),
    isReverse,
    ...compared,
  };
}

/** Every row that has the values counts, so nothing has to be unique. */
export function planTenantBy(parts: ViaParts, child: TableConfig, via: ViaConfig): PlannedVia {
  const { byName, config, configs, tenantOf } = parts;
  const parent = byName.get(via.parent);
  if (parent === undefined || (tenantOf(parent) === null && parent.tenant === undefined)) {
    const column = config.tenancy.way === 'column' ? config.tenancy.column : '';
    throw planMisfit(knowsNoTenant(child.table, via.parent, column));
  }
  return {
    parent: via.parent,
    entries: configs.filter(({ table }) => table === via.parent).map(entryName),
    descending: [],
    beside: [],
    positions: positionsOf(parts, child.table, via),
    uniqueness: 'none',
    namesOneRow: false,
    comparesTenant: false,
    isTenant: true,
    isReverse: false,
    ...compare(parts, child, via),
  };
}

export function positionsOf({ layouts }: ViaParts, child: string, via: ViaConfig): number[] {
  return Object.values(via.columns).map((name) => {
    const position = layouts.get(via.parent)?.indexOf(name) ?? -1;
    if (position < 0) throw planMisfit(`${child} refers to ${via.parent}, which is not declared`);
    return position;
  });
}

type Compared = Pick<
  PlannedVia,
  'columns' | 'parentColumns' | 'comparisons' | 'isForeignKey' | 'isTakenForEqual' | 'joined'
>;

function compare({ dialect, shapeOf }: ViaParts, { table }: TableConfig, via: ViaConfig): Compared {
  const [shape, parentShape] = [shapeOf(table), shapeOf(via.parent)];
  const keys: ForeignKey[] = keysOf(table, via, parentShape);
  const columns = Object.entries(via.columns).map(([from, to]) => ({
    column: columnOf(shape, from),
    parentColumn: columnOf(parentShape, to),
  }));
  const names = { parent: quoteTable(dialect, via.parent), child: quoteTable(dialect, table) };
  const reverse = keys.length > 0 ? [] : reverseKeysOf(shape, via);
  const { comparisons, joined } = compareReference(
    columns,
    keys[0] ?? reverse[0],
    names,
    reverse.length > 0,
  );
  return {
    columns: columns.map(({ column }) => column),
    parentColumns: columns.map(({ parentColumn }) => parentColumn),
    comparisons: columns.map(({ column, parentColumn }, place) => {
      const comparison = comparisons[place];
      if (comparison === undefined)
        throw planMisfit(incomparable(table, column, via.parent, parentColumn));
      return comparison;
    }),
    isForeignKey: keys.some(({ rowsIn }) => rowsIn === undefined),
    isTakenForEqual: keys.length > 0 || reverse.length > 0,
    joined,
  };
}

/** Where a reference names its entries, those decide whose the parent's row is. */
function besideMeant({ configs }: ViaParts, { parent, entries = [] }: ViaConfig): string[] {
  const all = configs.filter(({ table }) => table === parent);
  const meant = all.filter((one) => entries.includes(entryName(one)));
  return all
    .filter((one) => !meant.includes(one) && meant.some((other) => areBeside(one, other)))
    .map(entryName);
}

/** A cascade deletes rows together with deleted parents, not with those that another entry keeps. */
function entriesOf(
  { configs, cascaded }: ViaParts,
  child: TableConfig,
  { parent, entries }: ViaConfig,
): string[] {
  const isCascaded = cascaded.some(({ table }) => table === child.table);
  return configs
    .filter((one) => one.table === parent && (entries?.includes(entryName(one)) ?? true))
    .filter(({ action }) => !isCascaded || action.kind === 'delete')
    .map(entryName);
}
