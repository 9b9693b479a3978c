// Locks rows that lead to others but are not changed (retained, or overwritten already) until the end, if
// the transaction locks only what it changes: otherwise one of them could be assigned to another person
// while the rows that it led to are deleted.
import type { KeyRow } from '../../../domain/target/connector.ts';
import { type FindBatch, sizeFor } from '../find/find-context.ts';
import { keyPart, rowId } from '../find/found-rows.ts';
import { leadingEntries } from '../plan/leading-tables.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { inChunks, runStatement } from '../statement.ts';
import type { RowsToErase } from './find-to-erase.ts';

/** The server refuses if one was changed since the transaction began. */
export async function holdLeading({
  batch,
  people,
  findings: { tables },
}: Pick<RowsToErase, 'batch' | 'people' | 'findings'>): Promise<void> {
  const leading = leadingEntries(batch.plan);
  for (const table of batch.plan.tables) {
    if (table.forShare === '' || !leading.has(table.name)) continue;
    const changed = new Set(
      people
        .flatMap((one) => one?.found.keys[table.name] ?? [])
        .map((values) => rowId(table, values)),
    );
    const staying = [...(tables.get(table.name)?.values() ?? [])]
      .map(({ values }) => values)
      .filter((values) => !changed.has(rowId(table, values)));
    await hold(batch, table, staying);
  }
}

async function hold(
  { session, dialect }: FindBatch,
  table: PlannedTable,
  rows: readonly KeyRow[],
): Promise<void> {
  const columns = table.columns.slice(0, table.keySize);
  for (const chunk of inChunks(rows, sizeFor(dialect, table.keySize))) {
    const keys = chunk.map((values) => keyPart(table, values));
    await runStatement(session, dialect, (bind) => {
      const among = dialect.amongKeys(columns, keys, bind);
      return `SELECT count(*) AS n FROM (SELECT 1 FROM ${table.sqlName} WHERE ${among}${table.forShare}) q`;
    });
  }
}
