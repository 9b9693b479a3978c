// Finds those rows of `detaching` that have lost their references.
import { byName } from '../../../domain/by-name.ts';
import type { KeyRow, Keys } from '../../../domain/target/connector.ts';
import type { DetachedRows } from '../../../domain/target/row-layout.ts';
import type { ColumnShape } from '../catalogue.ts';
import { quoteTable } from '../dialect.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { selectKey, selectRows } from '../select-rows.ts';
import { columnNames, inChunks, textAt } from '../statement.ts';

export type ReadColumns = (
  table: string,
  names: readonly string[],
) => Promise<readonly ColumnShape[] | undefined>;

/** By table. Rows that can no longer be looked up do not count as detached. */
export async function findDetached(
  context: FindContext,
  groups: readonly DetachedRows[],
  readColumns: ReadColumns,
): Promise<Keys> {
  const found = byName<readonly KeyRow[]>();
  for (const group of groups) {
    const columns = await readColumns(group.table, group.columns);
    const nulled = await readColumns(group.table, group.nulled);
    if (columns === undefined || nulled === undefined) continue;
    const rows = await withoutReferences(context, group, columns, nulled);
    const known = new Set((found[group.table] ?? []).map((row) => JSON.stringify(row)));
    found[group.table] = [
      ...(found[group.table] ?? []),
      ...rows.filter((row) => !known.has(JSON.stringify(row))),
    ];
  }
  return found;
}

async function withoutReferences(
  { session, dialect }: FindContext,
  { table, rows }: DetachedRows,
  columns: readonly ColumnShape[],
  nulled: readonly ColumnShape[],
): Promise<KeyRow[]> {
  const names = columnNames('c', columns.length);
  const select = columns.map((column, place) => selectKey(dialect, column, `c${place}`));
  const isNull = nulled.map(({ name }) => `${dialect.quote(name)} IS NULL`).join(' OR ');
  const wanted = new Set(rows.map((row) => JSON.stringify(row)));
  const found: KeyRow[] = [];
  for (const chunk of inChunks(rows, sizeFor(dialect, columns.length))) {
    const answer = await selectRows(session, dialect, select, (list, bind) => {
      const among = dialect.amongKeys(columns, chunk, bind);
      return `SELECT ${list} FROM ${quoteTable(dialect, table)} WHERE (${among}) AND (${isNull})`;
    });
    for (const row of answer) {
      const key = names.map((name) => textAt(row, name));
      if (wanted.has(JSON.stringify(key))) found.push(key);
    }
  }
  return found;
}
