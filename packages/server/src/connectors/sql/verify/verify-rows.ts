// Looks again, in a transaction of its own: by keys, by identities, and for children of rows that are gone.

import { byName } from '../../../domain/by-name.ts';
import type { EraseOrder, Failed, KeyRow, Verdict } from '../../../domain/connector.ts';
import { keyPart, type OrderedRow, orderedRows, refuseOtherKeys } from '../erase/ordered-rows.ts';
import { readOverwritten } from '../erase/overwrite-rows.ts';
import { type FindContext, findRows, keyOf, keySelect, sizeFor } from '../find/find-rows.ts';
import { addRow, type FoundRows, rowId } from '../find/found-rows.ts';
import { runHalvingBeside } from '../halve.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { refuseStandby } from '../refuse-standby.ts';
import { runReadable } from '../run-readable.ts';
import { selectRows } from '../select-rows.ts';
import { inChunks } from '../statement.ts';
import type { TablesTarget } from '../tables-target.ts';

export async function verifyRows(
  target: TablesTarget,
  orders: readonly EraseOrder[],
): Promise<Verdict[]> {
  const run = (batch: readonly EraseOrder[]) =>
    target.read(async (context) => {
      const [verdicts] = await Promise.all([
        verifyBatch(context, batch),
        refuseStandby(target.dialect, context.session),
      ]);
      return verdicts;
    });
  const answers = await runHalvingBeside(orders, run, (order, failure) =>
    runReadable(order, failure, run),
  );
  return answers.map((answer): Verdict => (answer.outcome === 'held' ? undecided(answer) : answer));
}

/** Where it cannot be told whose a row is, nothing is certified. */
function undecided({ reason, detail }: { reason: string; detail: string }): Failed {
  return { outcome: 'failed', code: reason, detail };
}

async function verifyBatch(
  context: FindContext,
  orders: readonly EraseOrder[],
): Promise<Verdict[]> {
  for (const table of context.plan.erased) refuseOtherKeys(table, orders);
  const known = orders.map(({ keys }) => keys);
  const finding = findRows(context, orders, { known, byIdentity: true });
  // Asked at the same time: neither answer needs the other.
  const [found, ...byKeys] = await Promise.all([
    finding,
    ...context.plan.erased
      .filter(({ action }) => action.kind === 'delete')
      .map((table) => findByKeys(context, table, orders)),
  ]);
  for (const { table, values, place } of byKeys.flat()) addRow(found, table, values, [place]);
  const remains = orders.map(() => byName<number>());
  for (const table of context.plan.erased) {
    const left =
      table.action.kind === 'delete'
        ? [...(found.get(table.name)?.values() ?? [])].map(({ owners }) => owners)
        : await findUndone(context, table, orders, found);
    for (const owners of left) {
      for (const place of owners) {
        const own = remains[place];
        if (own !== undefined) own[table.name] = (own[table.name] ?? 0) + 1;
      }
    }
  }
  return remains.map((counts) =>
    Object.keys(counts).length === 0
      ? { outcome: 'gone', how: 'requeried' }
      : { outcome: 'remains', counts },
  );
}

interface RowByKey extends OrderedRow {
  readonly table: PlannedTable;
}

async function findByKeys(
  { session, dialect }: FindContext,
  table: PlannedTable,
  orders: readonly EraseOrder[],
): Promise<RowByKey[]> {
  const found: RowByKey[] = [];
  const columns = table.columns.slice(0, table.keySize);
  const select = keySelect(dialect, table);
  const all = orders.flatMap(({ keys }) => keys[table.name] ?? []);
  for (const keys of inChunks(all, sizeFor(dialect, table.keySize))) {
    const rows = await selectRows(session, dialect, select, (list, bind) => {
      const among = dialect.amongKeys(columns, keys, bind);
      return `SELECT ${list} FROM ${table.sqlName} WHERE ${among}`;
    });
    if (rows.length === 0) continue;
    const ordered = orderedRows(table, orders);
    for (const row of rows) {
      const values = keyOf(table, row);
      const owner = ordered.get(rowId(table, values));
      if (owner !== undefined) found.push({ table, values, place: owner.place });
    }
  }
  return found;
}

async function findUndone(
  context: FindContext,
  table: PlannedTable,
  orders: readonly EraseOrder[],
  found: FoundRows,
): Promise<Iterable<number>[]> {
  for (const { values, place } of orderedRows(table, orders).values())
    addRow(found, table, values, [place]);
  const rows = found.get(table.name);
  const keys = [...(rows?.values() ?? [])].map(({ values }): KeyRow => keyPart(table, values));
  const left: Iterable<number>[] = [];
  for await (const { row, isDone } of readOverwritten(context, table, keys, {
    select: [],
    suffix: '',
  })) {
    const owners = rows?.get(rowId(table, keyOf(table, row)))?.owners;
    if (!isDone && owners !== undefined) left.push(owners);
  }
  return left;
}
