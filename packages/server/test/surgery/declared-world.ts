// What a configuration says about a schema, looked up.
import type { IdentityType } from '@unwrite/protocol';
import {
  type ColumnType,
  type Configuration,
  type DatabaseName,
  type DeclaredTable,
  EACH,
  type GeneratedRequest,
  type Row,
  type Table,
  type Via,
  type Where,
} from './generated-case.ts';
import { foldValue } from './judge/compare-values.ts';

export interface World {
  readonly database: DatabaseName;
  readonly tables: readonly Table[];
  readonly configuration: Configuration;
  /** Those of the batch. */
  readonly requests: readonly GeneratedRequest[];
  /** Of other targets, which may write into the same tables. */
  readonly others?: readonly Configuration[];
}

/** By table, by `rid`. */
export type Snapshot = ReadonlyMap<string, ReadonlyMap<string, Row>>;

export function tableOf(world: Pick<World, 'tables'>, name: string): Table {
  const table = world.tables.find((one) => one.name === name);
  if (table === undefined) throw new Error(`there is no table ${name}`);
  return table;
}

export function typeOf(world: Pick<World, 'tables'>, table: string, column: string): ColumnType {
  const found = tableOf(world, table).columns.find(({ name }) => name === column);
  if (found === undefined) throw new Error(`there is no column ${table}.${column}`);
  return found.type;
}

export const entriesOf = ({ tables }: Configuration, name: string) =>
  tables.filter(({ table }) => table === name);

/** The entry that the row is in: none where it is outside of every `where`. */
export const entryOf = ({ configuration }: Pick<World, 'configuration'>, name: string, row: Row) =>
  entriesOf(configuration, name).find((entry) => isInside(entry, row));

/** Rows outside of its `where` do not exist for an entry. */
export function isInside({ where }: { readonly where: Where }, row: Row): boolean {
  return Object.entries(where).every(([column, { values, isNot }]) => {
    const value = row[column] ?? null;
    const isOne = values.some((one) => (one === null ? value === null : String(one) === value));
    return isOne !== isNot;
  });
}

/** Whether the reference is to rows of this entry. */
export const isMeant = (via: Pick<Via, 'parent' | 'where'>, { table, where }: DeclaredTable) =>
  table === via.parent &&
  (via.where === undefined || JSON.stringify(via.where) === JSON.stringify(where));

export const parentsOf = ({ tables }: Configuration, via: Pick<Via, 'parent' | 'where'>) =>
  tables.filter((entry) => isMeant(via, entry));

export const isParent = ({ tables }: Configuration, entry: DeclaredTable) =>
  tables.some(({ via }) => via.some((one) => isMeant(one, entry)));

/** undefined: the table has none, and its rows have the tenant of what they were reached from. */
export function tenantColumnOf(world: World, name: string): string | undefined {
  const { tenancy } = world.configuration;
  if (tenancy.way !== 'column') return undefined;
  const [entry] = [...entriesOf(world.configuration, name), ...leadsOf(world.configuration, name)];
  if (entry !== undefined && 'isOfAllTenants' in entry && entry.isOfAllTenants) return undefined;
  const column = entry?.tenantColumn ?? tenancy.column;
  return tableOf(world, name).columns.some((one) => one.name === column) ? column : undefined;
}

const leadsOf = ({ leads }: Configuration, name: string) =>
  leads.filter(({ table }) => table === name);

export function tenantByOf({ configuration }: Pick<World, 'configuration'>, name: string) {
  const [entry] = [...entriesOf(configuration, name), ...leadsOf(configuration, name)];
  return entry?.tenantBy ?? [];
}

/** Its rows have a tenant of their own, and not only that of what they were reached from. */
export const tellsTenant = (world: World, name: string) =>
  tenantColumnOf(world, name) !== undefined || tenantByOf(world, name).length > 0;

/** Whether the columns contain all of a unique index: a partial one, or one on an expression, proves nothing. */
export function isUnique(world: World, name: string, columns: readonly string[]): boolean {
  const table = tableOf(world, name);
  const plain = table.unique.filter(({ kind }) => kind === 'plain').map((index) => index.columns);
  return [table.primaryKey, ...plain].some(
    (index) => index.length > 0 && index.every((column) => columns.includes(column)),
  );
}

/** What names a row without a `key`: the primary key, or what is unique and never NULL. */
function keysOf(world: Pick<World, 'tables'>, table: string): (readonly string[])[] {
  const { primaryKey, unique, columns } = tableOf(world, table);
  if (primaryKey.length > 0) return [primaryKey];
  const isNotNull = (name: string) => columns.some((one) => one.name === name && one.notNull);
  return unique
    .filter((index) => index.kind === 'plain' && index.columns.every(isNotNull))
    .map((index) => index.columns);
}

/** Nothing names one of its rows. */
export const isKeyless = (world: Pick<World, 'tables'>, { table, key }: DeclaredTable) =>
  key === null && keysOf(world, table).length === 0;

/** Under the primary key, or a key that one of the entries names. All are of one table. */
export function haveOneKey(
  world: Pick<World, 'tables' | 'database'>,
  entries: readonly DeclaredTable[],
  a: Row,
  b: Row,
): boolean {
  const [table] = entries.map((one) => one.table);
  if (table === undefined) return false;
  const named = entries.flatMap(({ key }) => (key === null ? [] : [key]));
  const keys = [...keysOf(world, table), ...named];
  // Without a key, one row is like another.
  if (keys.length === 0) return true;
  return keys.some((key) =>
    key.every((column) => {
      const [mine, theirs] = [a[column] ?? null, b[column] ?? null];
      if (mine === null || theirs === null) return mine === theirs;
      const fold = (value: string) =>
        foldValue(world.database, typeOf(world, table, column), value);
      return fold(mine) === fold(theirs);
    }),
  );
}

export function mayHaveSeveralOwners(world: World, { table, match, via }: DeclaredTable): boolean {
  const columns = Object.values(match);
  return (
    columns.some(
      (ofType) => ofType.length > 1 || ofType.some(({ path }) => path?.includes(EACH)),
    ) ||
    via.length > 1 ||
    (columns.length > 0 && via.length > 0) ||
    via.some(({ parent, pairs }) => {
      const compared = pairs.map((pair) => pair.parent);
      const tenant = tenantColumnOf(world, parent);
      const isCompared = tenant !== undefined && tellsTenant(world, table);
      return !isUnique(world, parent, isCompared ? [...compared, tenant] : compared);
    })
  );
}

/** A table is asked if one of its identity types is given or one of its parents was asked. */
export function isAsked(
  configuration: Configuration,
  declared: DeclaredTable,
  types: ReadonlySet<IdentityType>,
): boolean {
  if ([...types].some((type) => declared.match[type] !== undefined)) return true;
  return declared.via.some((via) =>
    parentsOf(configuration, via).some((above) => isAsked(configuration, above, types)),
  );
}

export function parentsFirst(tables: readonly DeclaredTable[]): DeclaredTable[] {
  const sorted: DeclaredTable[] = [];
  const visited = new Set<DeclaredTable>();
  const visit = (declared: DeclaredTable) => {
    // In a circle, which the product refuses, one comes before its parents.
    if (visited.has(declared)) return;
    visited.add(declared);
    for (const via of declared.via) {
      for (const above of tables) if (isMeant(via, above)) visit(above);
    }
    sorted.push(declared);
  };
  tables.forEach(visit);
  return sorted;
}
