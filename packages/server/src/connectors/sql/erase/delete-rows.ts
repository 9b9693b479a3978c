import type { EraseOrder } from '../../../domain/connector.ts';
import type { Bind } from '../dialect.ts';
import { type FindContext, keySelect, sizeFor } from '../find/find-rows.ts';
import { referenceAt } from '../find/found-rows.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { selectRows } from '../select-rows.ts';
import type { SqlRow } from '../session.ts';
import { columnNames, inChunks, runStatement } from '../statement.ts';
import type { Belonging } from './belongs.ts';
import { keyPart, type OrderedRow } from './ordered-rows.ts';

/** Deletes exactly these rows, and answers how many were there for each order. */
export async function deleteRows(
  { session, dialect }: FindContext,
  table: PlannedTable,
  ordered: ReadonlyMap<string, OrderedRow>,
  orders: readonly EraseOrder[],
  belonging: Belonging,
): Promise<number[]> {
  const counts = orders.map(() => 0);
  const keyColumns = table.columns.slice(0, table.keySize);
  const select = [...keySelect(dialect, table), ...belonging.select];

  for (const chunk of inChunks([...ordered.values()], sizeFor(dialect, table.keySize))) {
    const keys = chunk.map(({ values }) => keyPart(table, values));
    const among = (bind: Bind) => dialect.amongKeys(keyColumns, keys, bind);

    if (dialect.deleteReturns) {
      // What should not have been touched is found afterwards: the transaction is rolled back.
      countRows(
        await selectRows(
          session,
          dialect,
          select,
          (list, bind) => `DELETE FROM ${table.sqlName} WHERE ${among(bind)} RETURNING ${list}`,
        ),
      );
      continue;
    }
    const rows = await selectRows(
      session,
      dialect,
      select,
      (list, bind) =>
        `SELECT ${list} FROM ${table.sqlName} WHERE ${among(bind)}${dialect.forUpdate}`,
    );
    countRows(rows);
    if (rows.length === 0) continue;
    const { changes } = await runStatement(
      session,
      dialect,
      (bind) => `DELETE FROM ${table.sqlName} WHERE ${among(bind)}`,
    );
    if (changes !== rows.length) throw unordered(table);
  }
  return counts;

  function countRows(rows: readonly SqlRow[]): void {
    for (const row of rows) {
      const place = orderOf(table, row, ordered, orders, belonging);
      counts[place] = (counts[place] ?? 0) + 1;
    }
  }
}

/** By the number of columns. Made once: this is done for every row. */
const KEY_NAMES = Array.from({ length: 8 }, (_, count) => columnNames('c', count));

/** The place of the order whose row this is; refused where it is nobody's any more. */
export function orderOf(
  table: PlannedTable,
  row: SqlRow,
  ordered: ReadonlyMap<string, OrderedRow>,
  orders: readonly EraseOrder[],
  belonging: Belonging,
): number {
  const id = referenceAt(row, KEY_NAMES[table.keySize] ?? columnNames('c', table.keySize));
  const place = id === undefined ? undefined : ordered.get(id)?.place;
  const order = place === undefined ? undefined : orders[place];
  if (place === undefined || order === undefined) throw unordered(table);
  if (!belonging.test(row, order))
    throw new NeedsDecision(
      'unplanned_change',
      `a row of ${table.name} that the preview found does not belong to this request any more; preview again`,
    );
  return place;
}

export function unordered(table: PlannedTable): NeedsDecision {
  return new NeedsDecision(
    'unplanned_change',
    `the key of ${table.name} names more rows than the preview found: the database does not tell its values apart exactly; choose other "key" columns`,
  );
}
