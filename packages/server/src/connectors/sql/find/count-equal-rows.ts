// Rows of a table without a unique key that are equal in all values: they cannot be told apart, only counted.

import type { PlannedTable } from '../plan/plan.ts';
import { selectRows } from '../select-rows.ts';
import { inChunks, textAt } from '../statement.ts';
import { type FindContext, sizeFor } from './find-context.ts';
import { type RowsOfTable, rowId } from './found-rows.ts';
import { readKeys, selectKeys } from './row-ways.ts';

/** Whether the key of a table may identify several equal rows. */
export function namesSeveral({ isUnnamed, columns, keySize }: PlannedTable): boolean {
  return isUnnamed && columns.slice(0, keySize).some(({ computed }) => computed !== undefined);
}

export async function countEqualRows(
  { session, dialect }: FindContext,
  table: PlannedTable,
  rows: RowsOfTable,
): Promise<RowsOfTable> {
  const columns = table.columns.slice(0, table.keySize);
  const key = { columns, keySize: table.keySize, name: table.name };
  const select = [...selectKeys(dialect, key), { sql: 'COUNT(*)', name: 'n', isPlain: true }];
  const group = columns.map((column) => dialect.readKey(column)).join(', ');
  const times = new Map<string, number>();
  const keys = [...rows.values()].map(({ values }) => values.slice(0, table.keySize));
  for (const chunk of inChunks(keys, sizeFor(dialect, table.keySize))) {
    const found = await selectRows(session, dialect, select, (list, bind) => {
      const among = dialect.amongKeys(columns, chunk, bind);
      return `SELECT ${list} FROM ${table.sqlName} WHERE ${among} GROUP BY ${group}`;
    });
    for (const row of found)
      times.set(rowId(key, readKeys(key, row)), Number(textAt(row, 'n') ?? row.n));
  }
  return new Map(
    [...rows].map(([id, row]) => [id, { ...row, times: times.get(rowId(table, row.values)) ?? 1 }]),
  );
}
