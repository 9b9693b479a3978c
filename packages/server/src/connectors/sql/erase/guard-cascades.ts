// For a database that does not tell what its cascades did: asked before, and locked.
import type { KeyRow } from '../../../domain/connector.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { referenceText, rowId } from '../find/found-rows.ts';
import { readKeys, selectKeys } from '../find/row-ways.ts';
import { NeedsDecision } from '../needs-decision.ts';
import { selectRows } from '../select-rows.ts';
import { inChunks } from '../statement.ts';

/** `rowsOf`: the rows of a table that are about to be erased. */
export async function guardCascades(
  { session, dialect, plan }: FindContext,
  rowsOf: (table: string) => readonly KeyRow[],
): Promise<void> {
  for (const { parent, entries, table: name, columns, positions } of plan.cascading) {
    const tables = plan.erased.filter((erased) => erased.table === name);
    const [table] = tables;
    if (table === undefined) continue;
    const going = tables.flatMap((entry) => rowsOf(entry.name));
    const erased = new Set(going.map((values) => rowId(table, values)));
    const references = entries
      .flatMap(rowsOf)
      .map((values) => positions.map((position) => values[position] ?? null))
      .filter((reference) => referenceText(reference) !== undefined);
    for (const chunk of inChunks(references, sizeFor(dialect, columns.length))) {
      const rows = await selectRows(session, dialect, selectKeys(dialect, table), (list, bind) => {
        const among = dialect.amongKeys(columns, chunk, bind);
        return `SELECT ${list} FROM ${table.sqlName} WHERE ${among}${dialect.forUpdate}`;
      });
      for (const row of rows)
        if (!erased.has(rowId(table, readKeys(table, row)))) throw wouldReach(name, parent);
    }
  }
}

function wouldReach(table: string, parent: string): NeedsDecision {
  return new NeedsDecision(
    'unplanned_change',
    `a foreign key of ${table} would change rows that are not this request's when rows of ${parent} go; declare how ${table} refers to ${parent} under "via", then release`,
  );
}
