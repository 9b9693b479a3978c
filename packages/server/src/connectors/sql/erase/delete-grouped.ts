// The quick way for most tables: rows that hang on one parent are counted by it in the database, so that
// one line comes back for each parent and not one for each row.
import type { EraseOrder } from '../../../domain/connector.ts';
import type { FindContext } from '../find/find-rows.ts';
import { referenceText } from '../find/found-rows.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { Plan, PlannedTable, PlannedVia } from '../plan/plan.ts';
import { runStatement, textAt } from '../statement.ts';
import { unordered } from './delete-rows.ts';

/** Undefined where the rows have to be looked at one by one. */
export function groupingVia(plan: Plan, table: PlannedTable): PlannedVia | undefined {
  const [via, ...others] = table.vias;
  if (via === undefined || others.length > 0 || table.matches.length > 0) return undefined;
  if (via.columns.length > 1 || via.parent === table.name) return undefined;
  const parent = plan.erased.find(({ name }) => name === via.parent);
  // Numbers and UUIDs are equal to themselves only, so no other row can have been meant.
  const keys = table.columns.slice(0, table.keySize);
  const isExact = keys.every(({ kind }) => kind === 'integer' || kind === 'uuid');
  return parent !== undefined && isExact ? via : undefined;
}

export async function deleteGrouped(
  { session, dialect }: FindContext,
  table: PlannedTable,
  via: PlannedVia,
  orders: readonly EraseOrder[],
): Promise<number[]> {
  const places = placesOf(via, orders);
  const keys = orders.flatMap((order) => order.keys[table.name] ?? []);
  const { rows } = await runStatement(session, dialect, (bind) => {
    const among = dialect.amongKeys(table.columns.slice(0, table.keySize), keys, bind);
    const reference = via.columns.map((column) => dialect.readKey(column)).join();
    return `WITH q AS (DELETE FROM ${table.sqlName} WHERE ${among} RETURNING ${reference} AS f) SELECT q.f, count(*)::text AS n FROM q GROUP BY q.f`;
  });
  const counts = orders.map(() => 0);
  for (const row of rows) {
    const reference = textAt(row, 'f');
    const place = reference === null ? undefined : places.get(reference);
    if (place === undefined)
      throw new NeedsDecision(
        'unplanned_change',
        `a row of ${table.name} that the preview found does not belong to this request any more; preview again`,
      );
    counts[place] = (counts[place] ?? 0) + Number(row.n);
  }
  counts.forEach((count, place) => {
    if (count > (orders[place]?.keys[table.name]?.length ?? 0)) throw unordered(table);
  });
  return counts;
}

function placesOf(via: PlannedVia, orders: readonly EraseOrder[]): Map<string, number> {
  const places = new Map<string, number>();
  orders.forEach(({ keys }, place) => {
    for (const values of keys[via.parent] ?? []) {
      const text = referenceText(via.positions.map((position) => values[position] ?? null));
      if (text !== undefined && !places.has(text)) places.set(text, place);
    }
  });
  return places;
}
