// Rows that should have been detached, and still refer to deleted rows.
import type { KeyRow } from '../../../domain/target/connector.ts';
import { quoteTable } from '../dialect.ts';
import { type FindBatch, sizeFor } from '../find/find-context.ts';
import { findReferring, type ReferringRow, type RowsThatGo } from '../find/find-referring.ts';
import type { PlannedReference } from '../plan/plan.ts';
import { selectKey, selectRows } from '../select-rows.ts';
import { columnNames, inChunks, textAt } from '../statement.ts';

export async function findAttached(
  batch: FindBatch,
  foreign: PlannedReference,
  rowsOf: RowsThatGo,
): Promise<ReferringRow[]> {
  const referring = await findReferring(batch, foreign, rowsOf);
  if (referring.length === 0) return [];
  const there = await readThere(batch, foreign, referring);
  return referring.filter(({ reference }) => !there.has(JSON.stringify(reference)));
}

/** The values that a row has, or has again: a row that got another key is no deleted one. */
async function readThere(
  { session, dialect }: FindBatch,
  { parent, parentColumns }: PlannedReference,
  referring: readonly ReferringRow[],
): Promise<Set<string>> {
  const asked = new Map(referring.map(({ reference }) => [JSON.stringify(reference), reference]));
  const names = columnNames('c', parentColumns.length);
  const select = parentColumns.map((column, place) => selectKey(dialect, column, `c${place}`));
  const there = new Set<string>();
  for (const chunk of inChunks([...asked.values()], sizeFor(dialect, parentColumns.length))) {
    const rows = await selectRows(session, dialect, select, (list, bind) => {
      const among = dialect.amongKeys(parentColumns, chunk, bind);
      return `SELECT ${list} FROM ${quoteTable(dialect, parent)} WHERE ${among}`;
    });
    for (const row of rows) {
      const values: KeyRow = names.map((name) => textAt(row, name));
      there.add(JSON.stringify(values));
    }
  }
  return there;
}
