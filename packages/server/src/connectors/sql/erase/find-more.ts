// Rows that belong to an order's rows and that its preview did not find: they came in between.
import type { EraseOrder, Held } from '../../../domain/connector.ts';
import { type FindContext, findRows, keyOf, keySelect, sizeFor } from '../find/find-rows.ts';
import { referenceText, rowId } from '../find/found-rows.ts';
import { NeedsDecision } from '../needs-decision.ts';
import { selectRows } from '../select-rows.ts';
import { inChunks } from '../statement.ts';
import type { TablesTarget } from '../tables-target.ts';
import { orderedRows } from './ordered-rows.ts';

/** For a database that does not tell what cascades did: asked before, and locked. */
export async function guardCascades(
  { session, dialect, plan }: FindContext,
  orders: readonly EraseOrder[],
): Promise<void> {
  for (const { parent, table: name, columns, positions } of plan.cascading) {
    const table = plan.erased.find((erased) => erased.name === name);
    if (table === undefined) continue;
    const ordered = orderedRows(table, orders);
    const references = orders
      .flatMap(({ keys }) => keys[parent] ?? [])
      .map((values) => positions.map((position) => values[position] ?? null))
      .filter((reference) => referenceText(reference) !== undefined);
    for (const chunk of inChunks(references, sizeFor(dialect, columns.length))) {
      const rows = await selectRows(session, dialect, keySelect(dialect, table), (list, bind) => {
        const among = dialect.amongKeys(columns, chunk, bind);
        return `SELECT ${list} FROM ${table.sqlName} WHERE ${among}${dialect.forUpdate}`;
      });
      for (const row of rows) if (!ordered.has(rowId(table, keyOf(table, row)))) throw more(name);
    }
  }
}

/** Whether rows that refer to the order's rows have come since the preview. */
export async function findMore(target: TablesTarget, order: EraseOrder): Promise<Held | undefined> {
  return target.read(async (context) => {
    const found = await findRows(context, [order], { known: [order.keys], byIdentity: false });
    for (const table of context.plan.erased) {
      const ordered = orderedRows(table, [order]);
      const rows = [...(found.get(table.name)?.values() ?? [])];
      if (rows.some(({ values }) => !ordered.has(rowId(table, values))))
        return more(table.name).toHeld();
    }
    return undefined;
  });
}

function more(table: string): NeedsDecision {
  return new NeedsDecision(
    'more_than_previewed',
    `rows of ${table} have come since the preview; preview again`,
  );
}
