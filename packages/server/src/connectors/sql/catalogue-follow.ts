// Follows foreign keys from the tables of a plan to all tables that they may change: the same for all three
// databases.
import type { Catalogue, ForeignKey, TableShape } from './catalogue.ts';

/** A table by the database's own id, regardless of its name in the plan. */
export interface FoundTable extends Omit<TableShape, 'table' | 'referencedBy' | 'partOf'> {
  readonly id: string;
  /** The name that an operator would write. */
  readonly name: string;
  readonly referencedBy: readonly FoundKey[];
  /** Ids of the tables that it is a part of. */
  readonly ancestors?: readonly string[];
}

export interface FoundKey extends Omit<ForeignKey, 'table' | 'referenced' | 'rowsIn'> {
  readonly tableId: string;
  readonly tableName: string;
  /** For a partition, or with table inheritance. */
  readonly part?: {
    /** Ids of the tables that it is a part of, the nearest first. */
    readonly of: readonly string[];
    /** The key applies to all rows of its table, including those of partitions. */
    readonly isWhole: boolean;
    readonly rowsIn: readonly string[];
  };
}

/** `named`: each name in the plan, and the id of its table. `leads`: those that are only read. */
export async function followKeys(
  named: ReadonlyMap<string, string>,
  leads: readonly string[],
  read: (ids: readonly string[]) => Promise<readonly FoundTable[]>,
): Promise<Catalogue> {
  const changed = new Set([...named].flatMap(([name, id]) => (leads.includes(name) ? [] : [id])));
  const found = new Map<string, FoundTable>();
  let next = [...new Set(named.values())];
  while (next.length > 0) {
    const level = await read(next);
    for (const table of level) found.set(table.id, table);
    const reached = level
      .filter(({ id }) => changed.has(id))
      .flatMap(({ referencedBy }) => referencedBy.filter(changesRows));
    const ids = [...new Set(reached.map(({ tableId }) => tableId))];
    next = ids.filter((id) => !found.has(id));
    for (const id of ids) changed.add(id);
  }
  return nameTables(named, found);
}

// Keys with ON UPDATE actions are included: an overwritten parent may change its children.
function changesRows({ onDelete, onUpdate }: FoundKey): boolean {
  return [onDelete, onUpdate].some((action) => action !== 'no_action' && action !== 'restrict');
}

function nameTables(
  named: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, FoundTable>,
): Catalogue {
  // If a table has several names, the first one: the check's messages about the others mention it.
  const written = new Map([...named].reverse().map(([name, id]) => [id, name]));
  const shapes = new Map<string, TableShape>();
  for (const [name, id] of named) {
    const table = found.get(id);
    if (table !== undefined) shapes.set(name, nameTable(name, table, written));
  }
  for (const [id, table] of found) {
    if (!written.has(id)) shapes.set(table.name, nameTable(table.name, table, written));
  }
  return shapes;
}

function nameTable(
  name: string,
  { id: _, referencedBy, ancestors = [], ...shape }: FoundTable,
  written: ReadonlyMap<string, string>,
): TableShape {
  return {
    ...shape,
    table: name,
    partOf: ancestors.flatMap((id) => written.get(id) ?? []),
    referencedBy: referencedBy.map(({ tableId, tableName, part, ...key }) => {
      // A partition's own key counts as a key of the table that the plan names, for some of its rows.
      const whose = [tableId, ...(part?.of ?? [])].find((one) => written.has(one)) ?? tableId;
      const isWhole = part === undefined || (whose === tableId && part.isWhole);
      return {
        ...key,
        ...(!isWhole && { rowsIn: part.rowsIn }),
        table: written.get(whose) ?? tableName,
        referenced: name,
      };
    }),
  };
}
