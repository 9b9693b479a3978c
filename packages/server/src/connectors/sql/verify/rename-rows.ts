// Rows that were overwritten are still there. Where the plan of now names rows by other columns, or lists the table
// under other entries, they are looked up by the columns that named them, so that each counts once.
import { byName } from '../../../domain/by-name.ts';
import type { KeyRow, Keys, TableLayout } from '../../../domain/connector.ts';
import type { ColumnShape } from '../catalogue.ts';
import { isSameLayout } from '../erase/ordered-rows.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { rowId } from '../find/found-rows.ts';
import { readKeys, selectKeys } from '../find/row-ways.ts';
import { isInside, selectWhere } from '../find/where-rows.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { selectKey, selectRows } from '../select-rows.ts';
import { columnNames, inChunks, textAt } from '../statement.ts';

export interface OldRows {
  /** The entry that they were found by. */
  readonly name: string;
  readonly layout: TableLayout;
  /** Of the columns that named them. */
  readonly columns: readonly ColumnShape[];
  readonly rows: readonly KeyRow[];
}

/** By the entries of now; without those that are named as they were. */
export async function renameRows(context: FindContext, old: OldRows): Promise<Keys> {
  const table = old.layout.table ?? old.name;
  const renamed = byName<readonly KeyRow[]>();
  if (old.layout.action !== 'overwrite' || old.rows.length === 0) return renamed;
  for (const entry of context.plan.erased) {
    if (entry.table !== table || entry.isUnnamed) continue;
    if (entry.name === old.name && isSameLayout(entry, old.layout)) continue;
    const rows = await renameInto(context, entry, old);
    if (rows.length > 0) renamed[entry.name] = rows;
  }
  return renamed;
}

async function renameInto(
  { session, dialect }: FindContext,
  entry: PlannedTable,
  { columns, rows }: OldRows,
): Promise<KeyRow[]> {
  const named = { name: entry.table, keySize: columns.length };
  const names = columnNames('o', columns.length);
  const select = [
    ...columns.map((column, place) => selectKey(dialect, column, `o${place}`)),
    ...selectKeys(dialect, entry),
    ...selectWhere(dialect, entry),
  ];
  const ids = new Set(rows.map((values) => rowId(named, values)));
  const renamed: KeyRow[] = [];
  for (const chunk of inChunks(rows, sizeFor(dialect, columns.length))) {
    const keys = chunk.map((values) => values.slice(0, columns.length));
    const found = await selectRows(session, dialect, select, (list, bind) => {
      const among = dialect.amongKeys(columns, keys, bind);
      return `SELECT ${list} FROM ${entry.sqlName} WHERE ${among}`;
    });
    for (const row of found) {
      const key = names.map((name) => textAt(row, name));
      // The database may take another key for equal.
      if (ids.has(rowId(named, key)) && isInside(entry, row)) renamed.push(readKeys(entry, row));
    }
  }
  return renamed;
}
