// Locks the rows that were found, by key, and checks that they are unchanged: if a transaction's reads do
// not lock rows, a row may have been assigned to another person in between. They are locked by key and not
// while searching: a search without a suitable index would lock other people's rows too.
import type { KeyRow } from '../../../domain/target/connector.ts';
import { type FindBatch, sizeFor } from '../find/find-context.ts';
import { type Findings, keyPart, rowId } from '../find/found-rows.ts';
import { readKeys, selectKeys, selectTenant, selectWays } from '../find/row-ways.ts';
import { selectWhere } from '../find/where-rows.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { selectRows } from '../select-rows.ts';
import { changedMeanwhile } from '../session.ts';
import { inChunks } from '../statement.ts';

export async function lockRows(batch: FindBatch, { tables }: Findings): Promise<void> {
  for (const table of batch.plan.tables) {
    const rows = [...(tables.get(table.name)?.values() ?? [])].map(({ values }) => values);
    if (rows.length === 0) continue;
    const before = await readRows(batch, table, rows, '');
    const lock = table.action.kind === 'retain' ? table.forShare : batch.dialect.forUpdate;
    const locked = await readRows(batch, table, rows, lock);
    for (const [id, text] of before) if (locked.get(id) !== text) throw changedMeanwhile();
  }
}

/** All values that decide whose each row is, as one text. */
async function readRows(
  { session, dialect }: FindBatch,
  table: PlannedTable,
  rows: readonly KeyRow[],
  lock: string,
): Promise<Map<string, string>> {
  const columns = table.columns.slice(0, table.keySize);
  const select = [
    ...selectKeys(dialect, table),
    ...selectWays(dialect, table),
    ...selectTenant(dialect, table),
    ...selectWhere(dialect, table),
  ];
  const texts = new Map<string, string>();
  for (const chunk of inChunks(rows, sizeFor(dialect, table.keySize))) {
    const keys = chunk.map((values) => keyPart(table, values));
    const found = await selectRows(session, dialect, select, (list, bind) => {
      const among = dialect.amongKeys(columns, keys, bind);
      return `SELECT ${list} FROM ${table.sqlName} WHERE ${among}${lock}`;
    });
    for (const row of found) texts.set(rowId(table, readKeys(table, row)), JSON.stringify(row));
  }
  return texts;
}
