// Finds out what happened to rows that an order names and that are no longer found for its person.
import type { KeyRow } from '../../../domain/target/connector.ts';
import { type FindBatch, sizeFor } from '../find/find-context.ts';
import { rowId } from '../find/found-rows.ts';
import { namesNobody } from '../find/match-identities.ts';
import { readParents } from '../find/read-parents.ts';
import { referenceKey } from '../find/reference-keys.ts';
import { type RowWays, readKeys, readWays, selectKeys, selectWays } from '../find/row-ways.ts';
import { isInside, selectWhere } from '../find/where-rows.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { selectRows } from '../select-rows.ts';
import { inChunks, runStatement } from '../statement.ts';
import { keyPart } from './ordered-rows.ts';
import { readOverwritten } from './read-overwritten.ts';

/**
 * `left`: now another person's, or outside `where`. `orphaned`: still there, but without an owner, because its
 * parent is deleted. Other rows are gone: deleted, or overwritten already.
 */
export type Fate = 'left' | 'orphaned';

/** Keyed by the row's id; rows that are gone are left out. */
export async function fatesOf(
  batch: FindBatch,
  table: PlannedTable,
  rows: readonly KeyRow[],
): Promise<Map<string, Fate>> {
  const fates = new Map<string, Fate>();
  // Nearly always there are none, and counting is cheaper than reading.
  if (!batch.isErasing && !(await isAnyThere(batch, table, rows))) return fates;
  const there = await readThere(batch, table, rows);
  if (table.action.kind === 'overwrite') {
    for await (const { row, isDone } of readOverwritten(batch, table, rows))
      if (isDone) there.delete(rowId(table, readKeys(table, row)));
  }
  if (there.size === 0) return fates;
  const tied = await findTied(batch, table, there);
  for (const id of there.keys()) fates.set(id, tied.has(id) ? 'left' : 'orphaned');
  return fates;
}

async function isAnyThere(
  { session, dialect }: FindBatch,
  table: PlannedTable,
  rows: readonly KeyRow[],
): Promise<boolean> {
  const columns = table.columns.slice(0, table.keySize);
  for (const chunk of inChunks(rows, sizeFor(dialect, table.keySize))) {
    const keys = chunk.map((values) => keyPart(table, values));
    const { rows: found } = await runStatement(session, dialect, (bind) => {
      const among = dialect.amongKeys(columns, keys, bind);
      return `SELECT 1 AS n FROM ${table.sqlName} WHERE ${among} LIMIT 1`;
    });
    if (found.length > 0) return true;
  }
  return false;
}

interface ThereRow {
  readonly ways: RowWays;
  /** The entry's `where` no longer covers it. */
  readonly isOutside: boolean;
}

async function readThere(
  batch: FindBatch,
  table: PlannedTable,
  rows: readonly KeyRow[],
): Promise<Map<string, ThereRow>> {
  const { session, dialect } = batch;
  const columns = table.columns.slice(0, table.keySize);
  const select = [
    ...selectKeys(dialect, table),
    ...selectWays(dialect, table),
    ...selectWhere(dialect, table),
  ];
  const there = new Map<string, ThereRow>();
  for (const chunk of inChunks(rows, sizeFor(dialect, table.keySize))) {
    const keys = chunk.map((values) => keyPart(table, values));
    const found = await selectRows(session, dialect, select, (list, bind) => {
      const among = dialect.amongKeys(columns, keys, bind);
      return `SELECT ${list} FROM ${table.sqlName} WHERE ${among}${batch.isErasing ? dialect.forUpdate : ''}`;
    });
    const wanted = new Set(chunk.map((values) => rowId(table, values)));
    for (const row of found) {
      const id = rowId(table, readKeys(table, row));
      // The database may treat another key as equal.
      if (wanted.has(id))
        there.set(id, { ways: readWays(table, row), isOutside: !isInside(table, row) });
    }
  }
  return there;
}

async function findTied(
  batch: FindBatch,
  table: PlannedTable,
  rows: ReadonlyMap<string, ThereRow>,
): Promise<Set<string>> {
  const tied = new Set<string>();
  for (const [id, { ways, isOutside }] of rows)
    if (isOutside || ways.matched.flat().some(isSomebody)) tied.add(id);
  for (const [way, via] of table.vias.entries()) {
    const references = new Map<string, { key: string; reference: KeyRow }>();
    for (const [id, { ways }] of rows) {
      const reference = ways.references[way] ?? [];
      const key = referenceKey(batch.dialect, via, reference, 'child')?.key;
      if (key !== undefined) references.set(id, { key, reference });
    }
    if (references.size === 0) continue;
    const parents = await readParents(
      batch,
      via,
      [...references.values()].map(({ reference }) => reference),
    );
    for (const [id, { key }] of references) if (parents.has(key)) tied.add(id);
  }
  return tied;
}

const isSomebody = (text: string) => !namesNobody(text);
