// Counts rows that stay on purpose, as shared or as retained, when the target is queried again.
import { byName } from '../../../domain/by-name.ts';
import type { Counts, EraseOrder, KeyRow, Keys } from '../../../domain/target/connector.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { keyPart, rowId } from '../find/found-rows.ts';
import { readKeys, selectKeys } from '../find/row-ways.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { selectRows } from '../select-rows.ts';
import { inChunks } from '../statement.ts';

export interface Staying {
  readonly kept?: Counts;
  readonly retained?: Counts;
}

/** In the order given; without orders that name no such rows. */
export async function countStaying(
  context: FindContext,
  orders: readonly EraseOrder[],
): Promise<Staying[]> {
  const there = new Map<string, ReadonlySet<string>>();
  for (const table of context.plan.tables) {
    const rows = orders.flatMap(({ kept, retained }) =>
      [kept, retained].flatMap((keys) => ownRows(table, keys)),
    );
    if (rows.length > 0) there.set(table.name, await findThere(context, table, rows));
  }
  const countOf = (keys: Keys): Counts => {
    const counts = byName<number>();
    for (const table of context.plan.tables) {
      const ids = there.get(table.name);
      const count = ownRows(table, keys).filter((row) => ids?.has(rowId(table, row))).length;
      if (count > 0) counts[table.name] = count;
    }
    return counts;
  };
  return orders.map(({ kept, retained }) => ({
    ...(kept !== undefined && { kept: countOf(kept) }),
    ...(retained !== undefined && { retained: countOf(retained) }),
  }));
}

/** The rows whose values belong to the columns of the current plan. */
export function ownRows(
  { name, columns }: PlannedTable,
  keys: Keys | undefined,
): readonly KeyRow[] {
  return (keys?.[name] ?? []).filter(({ length }) => length === columns.length);
}

async function findThere(
  { session, dialect }: FindContext,
  table: PlannedTable,
  rows: readonly KeyRow[],
): Promise<Set<string>> {
  const columns = table.columns.slice(0, table.keySize);
  const there = new Set<string>();
  for (const chunk of inChunks(rows, sizeFor(dialect, table.keySize))) {
    const keys = chunk.map((values) => keyPart(table, values));
    const found = await selectRows(session, dialect, selectKeys(dialect, table), (list, bind) => {
      const among = dialect.amongKeys(columns, keys, bind);
      return `SELECT ${list} FROM ${table.sqlName} WHERE ${among}`;
    });
    for (const row of found) there.add(rowId(table, readKeys(table, row)));
  }
  return there;
}
