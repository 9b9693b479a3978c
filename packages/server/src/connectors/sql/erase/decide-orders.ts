// Decides again, inside the erasing transaction, whose the ordered rows are: the intent limits what may be
// erased; the current data must also say that a row is this person's.
import { byName } from '../../../domain/by-name.ts';
import type { EraseOrder, Erasure, KeyRow } from '../../../domain/target/connector.ts';
import { orphaned } from '../../../domain/target/orphaned.ts';
import type { FindBatch, FindContext } from '../find/find-context.ts';
import { findRows } from '../find/find-rows.ts';
import { type Findings, rowId } from '../find/found-rows.ts';
import { isLookedUpOtherwise } from '../find/lookups/look-up-again.ts';
import { tenantOf } from '../find/tenants.ts';
import type { Plan, PlannedTable } from '../plan/plan.ts';
import { holdLeading } from './hold-leading.ts';
import { lockRows } from './lock-rows.ts';
import { fatesOf } from './missing-rows.ts';
import { fitsLayout } from './ordered-rows.ts';

/** Rows by table and id. */
type Rows = ReadonlyMap<string, ReadonlyMap<string, KeyRow>>;

export interface DecidedOrder {
  /** Set if nothing may be erased for this order. */
  readonly refused: Erasure | undefined;
  readonly erase: Rows;
  readonly gone: Readonly<Record<string, readonly KeyRow[]>>;
  /** Rows to be erased that have other values than in the order. */
  readonly changed: Readonly<Record<string, readonly KeyRow[]>>;
  readonly left: Readonly<Record<string, number>>;
  readonly kept: Readonly<Record<string, readonly KeyRow[]>>;
  /** For tables without a unique key: how many ordered rows are gone. */
  readonly goneUnnamed: Readonly<Record<string, number>>;
  /** How many equal rows a row of the table represents. */
  timesOf(table: string, id: string): number;
}

/** For each row, by table and id, the order of the batch for which it is erased. */
export type Claims = ReadonlyMap<string, ReadonlyMap<string, number>>;

export async function decideOrders(
  context: FindContext,
  orders: readonly EraseOrder[],
  claims: Claims,
): Promise<DecidedOrder[]> {
  const { plan, config } = context;
  // First, because its rows are locked from then on: their values decide whose the other rows are.
  const isOtherwise = await isLookedUpOtherwise(context, orders);
  const findings = await findRows(context, orders, { isErasing: true });
  const { tables, holds } = findings;
  const own = orders.map(() => new Map<string, Map<string, KeyRow>>());
  const keptRows = orders.map(() => new Map<string, Map<string, KeyRow>>());
  const times = new Map<string, Map<string, number>>();
  const timesOf: TimesOf = (table, id) => times.get(table)?.get(id) ?? 1;
  for (const table of plan.erased) {
    const found = tables.get(table.name)?.values() ?? [];
    for (const { values, owners, kept, isDone, times: many = 1 } of found) {
      if (isDone) continue;
      const id = rowId(table, values);
      addTo(times, table.name, new Map<string, number>()).set(id, many);
      for (const place of table.isUnnamed ? ownerOf(orders, owners, kept) : owners) {
        const rows = kept?.includes(place) ? keptRows[place] : own[place];
        addTo(rows, table.name, new Map<string, KeyRow>()).set(id, values);
      }
    }
  }
  const tenants = orders.map((order) => tenantOf(config.tenancy, order));
  const batch: FindBatch = { ...context, subjects: orders, tenants, isErasing: true };
  if (context.dialect.forUpdate !== '') await lockRows(batch, findings);
  const decided: DecidedOrder[] = [];
  // A row that two orders name is erased once, for the first of them.
  const taken = new Map<string, Set<string>>();
  for (const [place, order] of orders.entries()) {
    const found = own[place] ?? new Map();
    const isElsewhere = foundElsewhere(plan, findings, place);
    const held = holds.get(place);
    const refused = isOtherwise[place]
      ? GROWN
      : (held ?? refuseGrown(plan.erased, order, { found, claims, timesOf, orders }));
    decided.push(
      refused !== undefined
        ? { ...NOTHING, refused }
        : await decideOrder(batch, order, {
            found,
            keptRows: keptRows[place] ?? new Map(),
            taken,
            timesOf,
            isElsewhere,
          }),
    );
  }
  if (context.dialect.forUpdate === '') await holdLeading(batch, findings, decided);
  return decided;
}

/** Whether another entry of the same table finds the row for the subject now. */
function foundElsewhere(
  { tables: planned }: Plan,
  { tables }: Findings,
  place: number,
): IsElsewhere {
  const entries = new Map<string, Map<string, string>>();
  const counts = new Map<string, number>();
  for (const { table } of planned) counts.set(table, (counts.get(table) ?? 0) + 1);
  for (const entry of planned.filter(({ table }) => (counts.get(table) ?? 0) > 1))
    for (const { values, owners } of tables.get(entry.name)?.values() ?? [])
      if (owners.includes(place))
        addTo(entries, entry.table, new Map<string, string>()).set(
          rowId(entry, values),
          entry.name,
        );
  return ({ table, name }, id) => {
    const where = entries.get(table)?.get(id);
    return where !== undefined && where !== name;
  };
}

type IsElsewhere = (table: PlannedTable, id: string) => boolean;

const NOTHING = {
  erase: new Map(),
  gone: byName<KeyRow[]>(),
  changed: byName<KeyRow[]>(),
  left: byName<number>(),
  kept: byName<KeyRow[]>(),
  goneUnnamed: byName<number>(),
  timesOf: () => 1,
};

const GROWN: Erasure = { outcome: 'grown' };

type TimesOf = DecidedOrder['timesOf'];

/** No intent names the row, so it counts for the oldest order, as in a preview. */
function ownerOf(
  orders: readonly EraseOrder[],
  owners: readonly number[],
  kept: readonly number[] = [],
): readonly number[] {
  const open = owners.filter((place) => !kept.includes(place));
  const ages = open.toSorted((a, b) => (orders[a]?.taskNo ?? 0) - (orders[b]?.taskNo ?? 0));
  return [...kept, ...ages.slice(0, 1)];
}

function countOf({ name }: PlannedTable, rows: Rows, timesOf: TimesOf): number {
  const ids = [...(rows.get(name)?.keys() ?? [])];
  return ids.reduce((sum, id) => sum + timesOf(name, id), 0);
}

/** What the current data says about the rows of one order. */
interface RowsNow {
  /** Rows that are the person's and are not kept. */
  readonly found: Rows;
  readonly timesOf: TimesOf;
}

/** More rows than the intent names, or its values are of other columns: a new preview is needed. */
function refuseGrown(
  tables: readonly PlannedTable[],
  order: EraseOrder,
  {
    found,
    claims,
    timesOf,
    orders,
  }: RowsNow & {
    readonly claims: Claims;
    readonly orders: readonly EraseOrder[];
  },
): Erasure | undefined {
  if (!fitsLayout(tables, order)) return GROWN;
  for (const table of tables) {
    const rows = found.get(table.name);
    if (rows === undefined) continue;
    if (table.isUnnamed) {
      if (countOf(table, found, timesOf) > (order.counts[table.name] ?? 0)) return GROWN;
      continue;
    }
    const ordered = idsOf(table, order);
    for (const id of rows.keys())
      if (!ordered.has(id) && !isAnothers(claims, table.name, id, order, orders)) return GROWN;
  }
  return undefined;
}

/** Whether another order of this transaction claims the row. Orders outside it have not erased it: it still exists. */
function isAnothers(
  claims: Claims,
  table: string,
  id: string,
  { taskNo }: EraseOrder,
  orders: readonly EraseOrder[],
): boolean {
  const claimed = claims.get(table)?.get(id);
  return claimed !== taskNo && orders.some((order) => order.taskNo === claimed);
}

function idsOf(table: PlannedTable, order: EraseOrder): Map<string, KeyRow> {
  return byId(table, order.keys[table.name]);
}

function byId(table: PlannedTable, rows: readonly KeyRow[] = []): Map<string, KeyRow> {
  return new Map(rows.map((values) => [rowId(table, values), values]));
}

async function decideOrder(
  batch: FindBatch,
  order: EraseOrder,
  {
    found,
    keptRows,
    taken,
    timesOf,
    isElsewhere,
  }: RowsNow & {
    readonly keptRows: Rows;
    /** Ids by table that an order before this one erases; its own are added. */
    readonly taken: Map<string, Set<string>>;
    readonly isElsewhere: IsElsewhere;
  },
): Promise<DecidedOrder> {
  const erase = new Map<string, Map<string, KeyRow>>();
  const gone = byName<KeyRow[]>();
  const changed = byName<KeyRow[]>();
  const left = byName<number>();
  const kept = byName<KeyRow[]>();
  const goneUnnamed = byName<number>();
  for (const [name, rows] of keptRows) kept[name] = [...rows.values()];
  for (const table of batch.plan.erased) {
    const { name } = table;
    const missing: KeyRow[] = [];
    if (table.isUnnamed) {
      const now = found.get(name);
      if (now !== undefined) erase.set(name, new Map(now));
      const less = (order.counts[name] ?? 0) - countOf(table, found, timesOf);
      if (less > 0) goneUnnamed[name] = less;
      continue;
    }
    for (const [id, values] of idsOf(table, order)) {
      const now = found.get(name)?.get(id);
      if (taken.get(name)?.has(id)) gone[name] = [...(gone[name] ?? []), values];
      else if (now !== undefined) {
        addTo(erase, name, new Map<string, KeyRow>()).set(id, now);
        if (now.some((value, place) => value !== values[place]))
          changed[name] = [...(changed[name] ?? []), now];
      } else if (!keptRows.get(name)?.has(id)) missing.push(values);
    }
    if (missing.length === 0) continue;
    const fates = await fatesOf(batch, table, missing);
    for (const values of missing) {
      if (isElsewhere(table, rowId(table, values))) continue;
      const fate = fates.get(rowId(table, values)) ?? 'gone';
      if (fate === 'orphaned') return { ...NOTHING, refused: orphaned(name) };
      if (fate === 'left') left[name] = (left[name] ?? 0) + 1;
      else gone[name] = [...(gone[name] ?? []), values];
    }
  }
  for (const [name, rows] of erase)
    for (const id of rows.keys()) addTo(taken, name, new Set<string>()).add(id);
  return { refused: undefined, erase, gone, changed, left, kept, goneUnnamed, timesOf };
}

function addTo<V>(map: Map<string, V> | undefined, key: string, empty: V): V {
  const value = map?.get(key) ?? empty;
  map?.set(key, value);
  return value;
}
