// Rows of a table that refer to each other are deleted level by level, starting with those that no other
// refers to: a database may refuse to delete a row that is still referred to, or cascade from it.
import type { KeyRow } from '../../../domain/target/connector.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { foldText } from '../find/find-referring.ts';
import { keyPart, referenceText, rowId } from '../find/found-rows.ts';
import { joinParents } from '../find/join-parents.ts';
import { readKeys, selectKeys } from '../find/row-ways.ts';
import type { PlannedTable, SelfKey } from '../plan/plan.ts';
import { selectKey, selectRows } from '../select-rows.ts';
import { inChunks, textAt } from '../statement.ts';

export interface Level {
  readonly level: readonly KeyRow[];
  /** They refer to each other in a circle, or to themselves. */
  readonly isCircle: boolean;
}

export async function leavesFirst(
  context: Pick<FindContext, 'session' | 'dialect'>,
  table: PlannedTable,
  rows: readonly KeyRow[],
): Promise<Level[]> {
  const parentsOf = await readParentsOf(context, table, rows);
  const byId = new Map(rows.map((values) => [rowId(table, values), values]));
  const children = new Map<string, number>();
  for (const [id, parents] of parentsOf)
    for (const parent of parents)
      if (parent !== id) children.set(parent, (children.get(parent) ?? 0) + 1);
  const rowsOf = (ids: readonly string[]) => ids.flatMap((id) => [byId.get(id) ?? []]);
  const isCircular = (id: string) => parentsOf.get(id)?.has(id) === true;
  const levels: Level[] = [];
  const open = new Set(byId.keys());
  while (open.size > 0) {
    const leaves = [...open].filter((id) => (children.get(id) ?? 0) === 0);
    const level = leaves.length === 0 ? [...open] : leaves;
    const [circular, others] = [level.filter(isCircular), level.filter((id) => !isCircular(id))];
    // Rows in a cycle come last, all together.
    if (leaves.length === 0) levels.push({ level: rowsOf(level), isCircle: true });
    else {
      if (others.length > 0) levels.push({ level: rowsOf(others), isCircle: false });
      if (circular.length > 0) levels.push({ level: rowsOf(circular), isCircle: true });
    }
    for (const id of level) {
      open.delete(id);
      for (const parent of parentsOf.get(id) ?? [])
        if (parent !== id) children.set(parent, (children.get(parent) ?? 0) - 1);
    }
  }
  return levels;
}

interface FoundSelf {
  readonly id: string;
  /**
   * For each foreign key: the value by which the row refers to others, and the value by which others refer
   * to it.
   */
  readonly from: readonly (string | undefined)[];
  readonly to: readonly (string | undefined)[];
  readonly values: readonly KeyRow[];
}

/** For each row, those among these rows that it refers to. */
async function readParentsOf(
  context: Pick<FindContext, 'session' | 'dialect'>,
  table: PlannedTable,
  rows: readonly KeyRow[],
): Promise<Map<string, Set<string>>> {
  const { session, dialect } = context;
  const select = [
    ...selectKeys(dialect, table),
    ...table.selfKeys.flatMap(({ columns, parentColumns }, key) => [
      ...columns.map((column, place) => selectKey(dialect, column, `f${key}_${place}`)),
      ...parentColumns.map((column, place) => selectKey(dialect, column, `r${key}_${place}`)),
    ]),
  ];
  const found: FoundSelf[] = [];
  const keyColumns = table.columns.slice(0, table.keySize);
  for (const chunk of inChunks(rows, sizeFor(dialect, table.keySize))) {
    const keys = chunk.map((values) => keyPart(table, values));
    const read = await selectRows(session, dialect, select, (list, bind) => {
      const among = dialect.amongKeys(keyColumns, keys, bind);
      return `SELECT ${list} FROM ${table.sqlName} WHERE ${among}`;
    });
    for (const row of read) {
      const valuesOf = (prefix: string, key: number, size: number) =>
        Array.from({ length: size }, (_, at) => textAt(row, `${prefix}${key}_${at}`));
      const textsOf = (prefix: string, key: number, size: number) =>
        referenceText(valuesOf(prefix, key, size));
      found.push({
        id: rowId(table, readKeys(table, row)),
        from: table.selfKeys.map(({ columns }, key) => textsOf('f', key, columns.length)),
        to: table.selfKeys.map(({ parentColumns }, key) => textsOf('r', key, parentColumns.length)),
        values: table.selfKeys.map(({ parentColumns }, key) =>
          valuesOf('r', key, parentColumns.length),
        ),
      });
    }
  }
  const parentsOf = new Map(found.map(({ id }) => [id, new Set<string>()]));
  for (const [key, self] of table.selfKeys.entries()) {
    const nameOf = createNames(found, key);
    const references = await readReferences(context, table, self, found, key);
    for (const [id, text] of references) {
      const parent = nameOf(text);
      if (parent !== undefined) parentsOf.get(id)?.add(parent);
    }
  }
  return parentsOf;
}

/**
 * The values by which each row refers to others, in the parent's spelling if the database has to decide
 * equality.
 */
async function readReferences(
  context: Pick<FindContext, 'session' | 'dialect'>,
  table: PlannedTable,
  self: SelfKey,
  found: readonly FoundSelf[],
  key: number,
): Promise<(readonly [string, string])[]> {
  if (self.joined === null)
    return found.flatMap(({ id, from }) => {
      const text = from[key];
      return text === undefined ? [] : [[id, text] as const];
    });
  const select = selectKeys(context.dialect, table);
  const search = { via: self, ...self.joined, select, where: () => '', tail: '' };
  const named = found.flatMap(({ values }) => {
    const own = values[key];
    return own?.every((text) => text !== null) ? [own] : [];
  });
  const references: (readonly [string, string])[] = [];
  for (const chunk of inChunks(named, sizeFor(context.dialect, self.columns.length)))
    for (const { row, reference } of await joinParents(context, search, chunk)) {
      const text = referenceText(reference);
      if (text !== undefined) references.push([rowId(table, readKeys(table, row)), text]);
    }
  return references;
}

/** Finds rows by the values that refer to them, also if the database treats another spelling as equal. */
function createNames(
  found: readonly { readonly id: string; readonly to: readonly (string | undefined)[] }[],
  key: number,
): (text: string) => string | undefined {
  const exact = new Map<string, string>();
  const folded = new Map<string, string>();
  for (const { id, to } of found) {
    const text = to[key];
    if (text === undefined) continue;
    exact.set(text, id);
    folded.set(foldText(text), id);
  }
  return (text) => exact.get(text) ?? folded.get(foldText(text));
}
