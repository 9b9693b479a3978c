// Finds out whether rows that an earlier attempt began to erase still exist, by the key columns of that
// attempt: the plan may have changed since.
import { byName } from '../../../domain/by-name.ts';
import type {
  Counts,
  EraseOrder,
  Held,
  KeyRow,
  Keys,
  Settled,
  Settlement,
} from '../../../domain/target/connector.ts';
import {
  isInSameSchema,
  type KeyLayout,
  type TableLayout,
} from '../../../domain/target/row-layout.ts';
import type { ColumnShape } from '../catalogue.ts';
import { quoteTable } from '../dialect.ts';
import { fitsLayout } from '../erase/ordered-rows.ts';
import { readOverwritten } from '../erase/read-overwritten.ts';
import { layoutOf } from '../find/claim-rows.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { findRows } from '../find/find-rows.ts';
import { type FoundRow, rowId } from '../find/found-rows.ts';
import { readKeys } from '../find/row-ways.ts';
import { runHalvingBeside } from '../halve.ts';
import { foundBy } from '../plan/found-by.ts';
import type { Plan } from '../plan/plan.ts';
import { selectKey, selectRows } from '../select-rows.ts';
import { columnNames, inChunks, textAt } from '../statement.ts';
import type { TablesTarget } from '../tables-target.ts';
import { findDetached } from './find-detached.ts';
import { type Renamed, renameRows, untraceableFrom } from './rename-rows.ts';
import { findTied, without } from './tied-rows.ts';

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
  return runHalvingBeside(target.database, orders, run);
}

async function settleOrder(context: FindContext, order: EraseOrder): Promise<Settlement> {
  const there = byName<readonly KeyRow[]>();
  const gone = byName<readonly KeyRow[]>();
  const renamed: Renamed[] = [];
  let lost: string | undefined;
  const layout = order.layout ?? layoutOf(context.plan);
  for (const [name, rows] of Object.entries(order.keys)) {
    const own = Object.hasOwn(layout, name) ? layout[name] : undefined;
    if (rows.length === 0) continue;
    const isWhole = own !== undefined && rows.every(({ length }) => length === own.columns.length);
    const table = own?.table ?? name;
    const shapes = isWhole
      ? await readColumns(context, table, own.columns.slice(0, own.keySize), own)
      : undefined;
    if (own === undefined || shapes === undefined) {
      lost ??= name;
      continue;
    }
    const left = await findThere(context, table, shapes, rows);
    const open = own.action === 'overwrite' ? await withoutDone(context, table, own, left) : left;
    if (open.length > 0) there[name] = open;
    if (open.length === rows.length) continue;
    const erased = without(rows, open);
    gone[name] = erased;
    renamed.push(await renameRows(context, { name, layout: own, columns: shapes, rows: erased }));
  }
  const tied = await findTied(context, order, layout, there);
  lost ??= unnamedElsewhere(context.plan, order, layout);
  const unnamed = lost === undefined ? await countUnnamed(context, order, layout) : {};
  const before = await renameErased(context, order, layout);
  const untraceable =
    [...renamed, ...before].find((it) => it.untraceable !== undefined)?.untraceable ??
    untraceableUnnamed(context, order, layout);
  const { detaching = [] } = order;
  const detached = await findDetached(context, detaching, (table, columns) =>
    readColumns(context, table, columns),
  );
  const settled: Settled = {
    outcome: 'settled',
    there,
    tied,
    gone,
    ...(detaching.length > 0 && { detached }),
    ...(hasRenamed(renamed) && { renamed: mergeKeys(renamed) }),
    ...(hasRenamed(before) && { renamedBefore: mergeKeys(before) }),
    ...unnamed,
    ...(untraceable !== undefined && { untraceable }),
  };
  return lost === undefined ? settled : { ...unsettled(lost), known: settled };
}

/** Rows that earlier attempts had erased. */
async function renameErased(
  context: FindContext,
  { gone = byName<never>() }: EraseOrder,
  layout: KeyLayout,
): Promise<Renamed[]> {
  const renamed: Renamed[] = [];
  for (const [name, rows] of Object.entries(gone)) {
    const own = Object.hasOwn(layout, name) ? layout[name] : undefined;
    if (own === undefined) continue;
    const keys = own.columns.slice(0, own.keySize);
    const columns = await readColumns(context, own.table ?? name, keys, own);
    if (columns !== undefined)
      renamed.push(await renameRows(context, { name, layout: own, columns, rows }));
  }
  return renamed;
}

/**
 * Nothing is known about rows that no intent names: a table that was not declared may have had some of
 * them.
 */
function untraceableUnnamed(
  context: FindContext,
  { counts }: EraseOrder,
  layout: KeyLayout,
): string | undefined {
  for (const [name, own] of Object.entries(layout)) {
    if (own.isUnnamed !== true || (counts[name] ?? 0) === 0) continue;
    const table = own.table ?? name;
    for (const entry of context.plan.erased) {
      if (entry.table !== table) continue;
      const child = untraceableFrom(context, entry.name, own);
      if (child !== undefined && !Object.hasOwn(layout, child)) return child;
    }
  }
  return undefined;
}

function hasRenamed(parts: readonly Renamed[]): boolean {
  return parts.some(({ rows }) => Object.keys(rows).length > 0);
}

function mergeKeys(parts: readonly Renamed[]): Keys {
  const all = byName<readonly KeyRow[]>();
  for (const { rows } of parts)
    for (const [name, own] of Object.entries(rows)) all[name] = [...(all[name] ?? []), ...own];
  return all;
}

/** A table whose rows no intent names, and that the current plan counts or finds in a different way. */
function unnamedElsewhere(
  plan: Plan,
  { counts }: EraseOrder,
  layout: KeyLayout,
): string | undefined {
  const isAsBefore = (table: string, own: TableLayout) =>
    plan.erased.some(
      (planned) =>
        planned.name === table &&
        planned.isUnnamed &&
        isInSameSchema(own, planned) &&
        (own.foundBy === undefined || own.foundBy === foundBy(plan, planned)),
    );
  const [name] =
    Object.entries(layout).find(
      ([table, own]) =>
        own.isUnnamed === true && (counts[table] ?? 0) > 0 && !isAsBefore(table, own),
    ) ?? [];
  return name;
}

/** Rows that no intent names: those that the person has now, also through deleted parents. */
async function countUnnamed(
  context: FindContext,
  order: EraseOrder,
  layout: KeyLayout,
): Promise<{ readonly unnamed?: Counts; readonly unnamedDone?: Counts }> {
  const asked = context.plan.erased.filter(
    ({ name, isUnnamed }) =>
      isUnnamed && layout[name]?.isUnnamed === true && (order.counts[name] ?? 0) > 0,
  );
  if (asked.length === 0) return {};
  const isKnown = fitsLayout(context.plan.erased, order);
  const known = isKnown ? byName(Object.entries(order.keys)) : byName<readonly KeyRow[]>();
  for (const { name, columns, isUnnamed } of context.plan.tables) {
    if (!isUnnamed) continue;
    const rows = order.unnamedParents?.[name] ?? [];
    known[name] = rows.filter(({ length }) => length === columns.length);
  }
  const times = Object.values(layout).flatMap(({ time }) => time ?? []);
  const { tables } = await findRows({ ...context, times }, [order], { known: [known] });
  const unnamed = byName<number>();
  const unnamedDone = byName<number>();
  for (const { name } of asked) {
    const rows = [...(tables.get(name)?.values() ?? [])].filter(
      ({ kept = [] }) => kept.length === 0,
    );
    const count = (counted: readonly FoundRow[]) =>
      counted.reduce((sum, { times: equal = 1 }) => sum + equal, 0);
    unnamed[name] = count(rows.filter(({ isDone }) => !isDone));
    const done = count(rows.filter(({ isDone }) => isDone));
    if (done > 0 && layout[name]?.time !== undefined) unnamedDone[name] = done;
  }
  return { unnamed, ...(Object.keys(unnamedDone).length > 0 && { unnamedDone }) };
}

async function readColumns(
  { session, dialect }: FindContext,
  table: string,
  names: readonly string[],
  layout?: TableLayout,
): Promise<ColumnShape[] | undefined> {
  const { catalogue } = await dialect.readSchema(session, [table]);
  if (!isInSameSchema(layout, catalogue.get(table))) return undefined;
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

/** Removes rows that have their new values, according to the plan that the keys came from. */
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
    name,
    sqlName: quoteTable(context.dialect, name),
    columns,
    keySize: layout.keySize,
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
    detail: `an earlier attempt began to erase rows of ${table} under another configuration, and they cannot be looked up any more; check whether they are gone, then release: the receipt will not claim what that attempt erased`,
  };
}
