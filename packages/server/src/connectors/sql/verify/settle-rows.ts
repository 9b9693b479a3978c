// Whether rows that an earlier attempt began to erase are still there, asked by the columns that its keys
// were of: the plan may be another one by now.
import { byName } from '../../../domain/by-name.ts';
import type {
  Counts,
  EraseOrder,
  Held,
  KeyLayout,
  KeyRow,
  Keys,
  Settlement,
  TableLayout,
} from '../../../domain/connector.ts';
import type { ColumnShape } from '../catalogue.ts';
import { quoteTable, type Selected } from '../dialect.ts';
import { fatesOf } from '../erase/missing-rows.ts';
import { fitsLayout, isSameLayout } from '../erase/ordered-rows.ts';
import { readOverwritten } from '../erase/read-overwritten.ts';
import { layoutOf } from '../find/claim-rows.ts';
import { findChildren } from '../find/find-children.ts';
import { type FindBatch, type FindContext, sizeFor } from '../find/find-context.ts';
import { findRows } from '../find/find-rows.ts';
import { rowId } from '../find/found-rows.ts';
import { tenantOf } from '../find/match-identities.ts';
import { referencesTo } from '../find/parent-references.ts';
import { readKeys, selectKeys, selectReferences, selectTenant } from '../find/row-ways.ts';
import { runHalvingBeside } from '../halve.ts';
import type { Plan, PlannedTable } from '../plan/plan.ts';
import { selectKey, selectRows } from '../select-rows.ts';
import { columnNames, inChunks, textAt } from '../statement.ts';
import type { TablesTarget } from '../tables-target.ts';
import { renameRows } from './rename-rows.ts';

export async function settleRows(
  target: TablesTarget,
  orders: readonly EraseOrder[],
): Promise<Settlement[]> {
  const run = (batch: readonly EraseOrder[]) =>
    target.read(async (context) => {
      const settlements: Settlement[] = [];
      for (const order of batch) settlements.push(await settleOrder(context, order));
      return settlements;
    });
  return runHalvingBeside(orders, run);
}

async function settleOrder(context: FindContext, order: EraseOrder): Promise<Settlement> {
  const there = byName<readonly KeyRow[]>();
  const gone = byName<readonly KeyRow[]>();
  let renamed: Keys = byName<never>();
  const layout = order.layout ?? layoutOf(context.plan);
  for (const [name, rows] of Object.entries(order.keys)) {
    const own = Object.hasOwn(layout, name) ? layout[name] : undefined;
    if (rows.length === 0) continue;
    if (own === undefined || rows.some(({ length }) => length !== own.columns.length))
      return unsettled(name);
    const table = own.table ?? name;
    const shapes = await readColumns(context, table, own.columns.slice(0, own.keySize));
    if (shapes === undefined) return unsettled(name);
    const left = await findThere(context, table, shapes, rows);
    const open = own.action === 'overwrite' ? await withoutDone(context, table, own, left) : left;
    if (open.length > 0) there[name] = open;
    if (open.length === rows.length) continue;
    const erased = without(rows, open);
    gone[name] = erased;
    renamed = join(
      renamed,
      await renameRows(context, { name, layout: own, columns: shapes, rows: erased }),
    );
  }
  const tied = await findTied(context, order, layout, there);
  const unknown = unnamedElsewhere(context.plan, order, layout);
  if (unknown !== undefined) return unsettled(unknown);
  const unnamed = await countUnnamed(context, order, layout);
  const renamedBefore = await renameErased(context, order, layout);
  return {
    ...{ outcome: 'settled', there, tied, gone },
    ...(sizeOf(renamed) > 0 && { renamed }),
    ...(sizeOf(renamedBefore) > 0 && { renamedBefore }),
    ...(unnamed !== undefined && { unnamed }),
  };
}

/** Rows that attempts before had erased: nothing depends on them but that each counts once. */
async function renameErased(
  context: FindContext,
  { gone = byName<never>() }: EraseOrder,
  layout: KeyLayout,
): Promise<Keys> {
  let renamed: Keys = byName<never>();
  for (const [name, rows] of Object.entries(gone)) {
    const own = Object.hasOwn(layout, name) ? layout[name] : undefined;
    if (own === undefined) continue;
    const columns = await readColumns(
      context,
      own.table ?? name,
      own.columns.slice(0, own.keySize),
    );
    if (columns === undefined) continue;
    renamed = join(renamed, await renameRows(context, { name, layout: own, columns, rows }));
  }
  return renamed;
}

function join(a: Keys, b: Keys): Keys {
  const both = byName<readonly KeyRow[]>(Object.entries(a));
  for (const [name, rows] of Object.entries(b)) both[name] = [...(both[name] ?? []), ...rows];
  return both;
}

/** A table whose rows no intent names, and that the plan of now does not count in the same way. */
function unnamedElsewhere(
  { erased }: Plan,
  { counts }: EraseOrder,
  layout: KeyLayout,
): string | undefined {
  const [name] =
    Object.entries(layout).find(
      ([table, { isUnnamed }]) =>
        isUnnamed === true &&
        (counts[table] ?? 0) > 0 &&
        !erased.some((planned) => planned.name === table && planned.isUnnamed),
    ) ?? [];
  return name;
}

/** Rows that no intent names: those that the person has now, also by parents that are gone. */
async function countUnnamed(
  context: FindContext,
  order: EraseOrder,
  layout: KeyLayout,
): Promise<Counts | undefined> {
  const asked = context.plan.erased.filter(
    ({ name, isUnnamed }) =>
      isUnnamed && layout[name]?.isUnnamed === true && (order.counts[name] ?? 0) > 0,
  );
  if (asked.length === 0) return undefined;
  const known = fitsLayout(context.plan.erased, order) ? order.keys : byName<never>();
  const { tables } = await findRows(context, [order], { known: [known] });
  return byName(
    asked.map(({ name }): [string, number] => {
      const rows = [...(tables.get(name)?.values() ?? [])].filter(({ isDone }) => !isDone);
      return [name, rows.reduce((sum, { times = 1 }) => sum + times, 0)];
    }),
  );
}

function without(rows: readonly KeyRow[], others: readonly KeyRow[]): KeyRow[] {
  const excluded = new Set(others);
  return rows.filter((values) => !excluded.has(values));
}

/**
 * Rows that are tied to somebody else by now. Under another plan it is not known, and a row that is there counts as
 * it was. So does one that refers to a row of the same intent that is there as it was: the two would have gone
 * together.
 */
async function findTied(
  context: FindContext,
  order: EraseOrder,
  layout: KeyLayout,
  there: Keys,
): Promise<Keys> {
  const asked = context.plan.erased.filter(({ name }) => there[name] !== undefined);
  const tenants = [tenantOf(context.config.tenancy, order)];
  const batch = { ...context, subjects: [order], tenants, isErasing: false };
  const tied = byName<readonly KeyRow[]>();
  for (const table of asked) {
    const own = Object.hasOwn(layout, table.name) ? layout[table.name] : undefined;
    if (own === undefined || !isSameLayout(table, own)) continue;
    const rows = there[table.name] ?? [];
    const fates = await fatesOf(batch, table, rows);
    tied[table.name] = rows.filter((values) => fates.get(rowId(table, values)) === 'left');
  }
  // One that goes with another may take the next one along.
  for (let size = Number.POSITIVE_INFINITY; size > sizeOf(tied); ) {
    size = sizeOf(tied);
    for (const table of asked) {
      const rows = tied[table.name] ?? [];
      if (rows.length === 0) continue;
      const together = await findTogether(batch, table, there, tied);
      tied[table.name] = rows.filter((values) => !together.has(rowId(table, values)));
    }
  }
  return tied;
}

function sizeOf(keys: Keys): number {
  return Object.values(keys).reduce((sum, rows) => sum + rows.length, 0);
}

/** Rows that refer to rows of the intent that are there as they were. */
async function findTogether(
  batch: FindBatch,
  table: PlannedTable,
  there: Keys,
  tied: Keys,
): Promise<Set<string>> {
  const together = new Set<string>();
  for (const [way, via] of table.vias.entries()) {
    const found = via.entries
      .flatMap((parent) => without(there[parent] ?? [], tied[parent] ?? []))
      .map((values) => ({ values, owners: [0] }));
    const parents = referencesTo(batch.dialect, via, found);
    if (parents.size === 0) continue;
    const search = { table, way, via, parents, tail: '', select: searched(batch, table) };
    for await (const { values } of findChildren(batch, search, () => undefined))
      together.add(rowId(table, values));
  }
  return together;
}

function searched({ dialect }: FindContext, table: PlannedTable): Selected[] {
  return [
    ...selectKeys(dialect, table),
    ...selectReferences(dialect, table),
    ...selectTenant(dialect, table),
  ];
}

async function readColumns(
  { session, dialect }: FindContext,
  table: string,
  names: readonly string[],
): Promise<ColumnShape[] | undefined> {
  const { catalogue } = await dialect.readSchema(session, [table]);
  const shapes = names.map((name) => catalogue.get(table)?.columns.get(name));
  return shapes.every((shape) => shape !== undefined) ? shapes : undefined;
}

async function findThere(
  { session, dialect }: FindContext,
  table: string,
  columns: readonly ColumnShape[],
  rows: readonly KeyRow[],
): Promise<KeyRow[]> {
  const byId = new Map(
    rows.map((values) => [rowId({ name: table, keySize: columns.length }, values), values]),
  );
  const names = columnNames('c', columns.length);
  const select = columns.map((column, place) => selectKey(dialect, column, `c${place}`));
  const there: KeyRow[] = [];
  for (const chunk of inChunks([...byId.values()], sizeFor(dialect, columns.length))) {
    const keys = chunk.map((values) => values.slice(0, columns.length));
    const found = await selectRows(session, dialect, select, (list, bind) => {
      const among = dialect.amongKeys(columns, keys, bind);
      return `SELECT ${list} FROM ${quoteTable(dialect, table)} WHERE ${among}`;
    });
    for (const row of found) {
      const key = names.map((name) => textAt(row, name));
      const values = byId.get(rowId({ name: table, keySize: columns.length }, key));
      if (values !== undefined) there.push(values);
    }
  }
  return there;
}

/** What has its new values, by the plan that the keys came from. */
async function withoutDone(
  context: FindContext,
  name: string,
  layout: TableLayout,
  rows: readonly KeyRow[],
): Promise<readonly KeyRow[]> {
  const { overwrite } = layout;
  const columns = await readColumns(context, name, layout.columns);
  const overwritten = await readColumns(context, name, Object.keys(overwrite ?? {}));
  if (overwrite === undefined || columns === undefined || overwritten === undefined) return rows;
  const table = {
    ...{ name, sqlName: quoteTable(context.dialect, name), columns, keySize: layout.keySize },
    action: { kind: 'overwrite', columns: overwrite } as const,
    overwritten: new Map(overwritten.map((column) => [column.name, column])),
  };
  const done = new Set<string>();
  const times = layout.time === undefined ? [] : [layout.time];
  for await (const { row, isDone } of readOverwritten({ ...context, times }, table, rows))
    if (isDone) done.add(rowId(table, readKeys(table, row)));
  return rows.filter((values) => !done.has(rowId(table, values)));
}

function unsettled(table: string): Held {
  return {
    outcome: 'held',
    reason: 'unsettled',
    detail: `an earlier attempt began to erase rows of ${table} under another configuration, and they cannot be looked up any more; look whether they are gone, then release: what that attempt erased will not be claimed`,
  };
}
