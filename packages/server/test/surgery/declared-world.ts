// What a configuration says about a schema, looked up.
import type {
  ColumnType,
  Configuration,
  DatabaseName,
  DeclaredTable,
  GeneratedRequest,
  Row,
  Table,
} from './generated-case.ts';

export interface World {
  readonly database: DatabaseName;
  readonly tables: readonly Table[];
  readonly configuration: Configuration;
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

export const declaredOf = ({ configuration }: World, name: string) =>
  configuration.tables.find(({ table }) => table === name);

export const isParent = ({ tables }: Configuration, { table }: DeclaredTable) =>
  tables.some(({ via }) => via.some(({ parent }) => parent === table));

/** undefined: the table has none, and its rows have the tenant of what they were reached from. */
export function tenantColumnOf(world: World, name: string): string | undefined {
  const { tenancy } = world.configuration;
  if (tenancy.way !== 'column') return undefined;
  const column = declaredOf(world, name)?.tenantColumn ?? tenancy.column;
  return tableOf(world, name).columns.some((one) => one.name === column) ? column : undefined;
}

/** Whether the columns contain all of a unique index: a partial one, or one on an expression, proves nothing. */
export function isUnique(world: World, name: string, columns: readonly string[]): boolean {
  const table = tableOf(world, name);
  const plain = table.unique.filter(({ kind }) => kind === 'plain').map((index) => index.columns);
  return [table.primaryKey, ...plain].some(
    (index) => index.length > 0 && index.every((column) => columns.includes(column)),
  );
}

export function mayHaveSeveralOwners(world: World, { table, match, via }: DeclaredTable): boolean {
  const columns = Object.values(match);
  return (
    columns.some((ofType) => ofType.length > 1) ||
    via.length > 1 ||
    (columns.length > 0 && via.length > 0) ||
    via.some(({ parent, pairs }) => {
      const compared = pairs.map((pair) => pair.parent);
      const tenant = tenantColumnOf(world, parent);
      const isCompared = tenant !== undefined && tenantColumnOf(world, table) !== undefined;
      return !isUnique(world, parent, isCompared ? [...compared, tenant] : compared);
    })
  );
}

/** A table is asked if one of its identity types is given or one of its parents was asked. */
export function isAsked(
  configuration: Configuration,
  declared: DeclaredTable,
  request: GeneratedRequest,
): boolean {
  const given = request.identities.map(({ type }) => type);
  if (given.some((type) => declared.match[type] !== undefined)) return true;
  return declared.via.some(({ parent }) => {
    const above = configuration.tables.find(({ table }) => table === parent);
    return above !== undefined && isAsked(configuration, above, request);
  });
}

export function parentsFirst(tables: readonly DeclaredTable[]): DeclaredTable[] {
  const sorted: DeclaredTable[] = [];
  const visit = (declared: DeclaredTable) => {
    if (sorted.includes(declared)) return;
    for (const { parent } of declared.via) {
      const above = tables.find(({ table }) => table === parent);
      if (above !== undefined) visit(above);
    }
    sorted.push(declared);
  };
  tables.forEach(visit);
  return sorted;
}
