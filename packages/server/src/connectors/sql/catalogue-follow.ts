// From the tables of a plan to all tables that their foreign keys may change: the same for all three databases.
import type {
  Catalogue,
  ForeignKey,
  TableShape,
  Trigger,
  TriggerText,
  TriggerWrite,
} from './catalogue.ts';

/** A table by the database's own name for it, whatever a plan calls it. */
export interface FoundTable
  extends Omit<TableShape, 'table' | 'referencedBy' | 'partOf' | 'triggers'> {
  readonly id: string;
  /** What an operator would write for it. */
  readonly name: string;
  readonly referencedBy: readonly FoundKey[];
  readonly triggers: readonly FoundTrigger[];
  /** Ids of the tables that it is a part of. */
  readonly ancestors?: readonly string[];
}

export interface FoundTrigger extends Omit<Trigger, 'text'> {
  readonly text?: Omit<TriggerText, 'writes'> & {
    readonly writes: readonly FoundWrite[];
  };
}

export interface FoundWrite extends Omit<TriggerWrite, 'table'> {
  readonly tableId: string;
  readonly tableName: string;
}

export interface FoundKey extends Omit<ForeignKey, 'table' | 'referenced' | 'rowsIn'> {
  readonly tableId: string;
  readonly tableName: string;
  /** Of a partition, or where tables inherit. */
  readonly part?: {
    /** Ids of the tables that it is a part of, the nearest first. */
    readonly of: readonly string[];
    /** It holds for all rows that its own table's name stands for. */
    readonly isWhole: boolean;
    readonly rowsIn: readonly string[];
  };
}

/** `named`: what the plan writes, and the id of the table it means. */
export async function followKeys(
  named: ReadonlyMap<string, string>,
  read: (ids: readonly string[]) => Promise<readonly FoundTable[]>,
): Promise<Catalogue> {
  const found = new Map<string, FoundTable>();
  let next = [...new Set(named.values())];
  while (next.length > 0) {
    const level = await read(next);
    for (const table of level) found.set(table.id, table);
    const reached = level.flatMap(({ referencedBy }) => referencedBy.filter(changesRows));
    next = [...new Set(reached.map(({ tableId }) => tableId))].filter((id) => !found.has(id));
  }
  return nameTables(named, found);
}

// A key that follows an update is one too: an overwritten parent may change its children.
function changesRows({ onDelete, onUpdate }: FoundKey): boolean {
  return [onDelete, onUpdate].some((action) => action !== 'no_action' && action !== 'restrict');
}

function nameTables(
  named: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, FoundTable>,
): Catalogue {
  // Of several names, the first: what the check says of the others names it.
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
  { id: _, referencedBy, triggers, ancestors = [], ...shape }: FoundTable,
  written: ReadonlyMap<string, string>,
): TableShape {
  return {
    ...shape,
    table: name,
    triggers: triggers.map(({ text, ...trigger }) => ({
      ...trigger,
      ...(text !== undefined && {
        text: {
          ...text,
          writes: text.writes.map(({ tableId, tableName, ...write }) => ({
            ...write,
            table: written.get(tableId) ?? tableName,
          })),
        },
      }),
    })),
    partOf: ancestors.flatMap((id) => written.get(id) ?? []),
    referencedBy: referencedBy.map(({ tableId, tableName, part, ...key }) => {
      // A partition's own key is one of the table that the plan names, for some of its rows.
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
