// The fast path for plans in which every row has one owner: if everything is still as ordered, it need not
// be read again. Whose the rows are is still decided in the same transaction: the persons' own rows by
// their identities, and every other row by its reference when it is deleted. Any difference from the order
// rolls everything back, and the slow path runs.
import { byName } from '../../../domain/by-name.ts';
import type { EraseOrder, Erasure, KeyRow } from '../../../domain/target/connector.ts';
import { decideReferences, saidOf } from '../find/decide-references.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { referenceText, rowId } from '../find/found-rows.ts';
import { isLookedUpOtherwise } from '../find/lookups/look-up-again.ts';
import { createIdentityMatcher } from '../find/match-identities.ts';
import { isExact } from '../find/reference-keys.ts';
import { readKeys, selectKeys } from '../find/row-ways.ts';
import { tenantOf } from '../find/tenants.ts';
import type { Plan, PlannedTable, PlannedVia } from '../plan/plan.ts';
import { isPlain } from '../select-rows.ts';
import type { SqlSession } from '../session.ts';
import { inChunks, runStatement, textAt } from '../statement.ts';
import type { TablesTarget } from '../tables-target.ts';
import { deleteRows } from './delete-rows.ts';
import { readAllChanges, readChanges, refuseOtherChanges } from './guard-changes.ts';
import { fitsLayout } from './ordered-rows.ts';
import { createOwnChanges } from './own-changes.ts';

/** Something differs from the orders: each row has to be checked. */
export class NotAsOrdered extends Error {
  override readonly name = 'NotAsOrdered';
}

/** Whether rows of this plan need no individual check. */
export function canEraseAsOrdered({ dialect }: Pick<FindContext, 'dialect'>, plan: Plan): boolean {
  const deleted = new Set(
    plan.erased.filter(({ action }) => action.kind === 'delete').map(({ name }) => name),
  );
  return (
    dialect.pack !== null &&
    dialect.deleteReturns &&
    plan.references.every(
      ({ release, nulled, followers }) =>
        release === null && nulled.length === 0 && followers.length === 0,
    ) &&
    plan.erased.every(
      (table) =>
        deleted.has(table.name) &&
        !table.hasSeveralOwners &&
        !table.isUnnamed &&
        table.where.length === 0 &&
        table.selfKeys.length === 0 &&
        table.tenantBy.length === 0 &&
        hasPlainWay(plan, table, deleted),
    )
  );
}

function hasPlainWay(
  plan: Plan,
  { name, vias, tenant, columns, keySize }: PlannedTable,
  deleted: ReadonlySet<string>,
): boolean {
  const [via] = vias;
  if (via === undefined) return true;
  const parent = plan.erased.find((table) => table.name === via.parent);
  return (
    tenant === null &&
    // Only references by the parent's key: any other column may have another value by now.
    via.positions.every((position) => position < (parent?.keySize ?? 0)) &&
    via.parent !== name &&
    deleted.has(via.parent) &&
    via.columns.length === 1 &&
    isExact(via) &&
    [...via.columns, ...columns.slice(0, keySize)].every(isPlain)
  );
}

/** Throws NotAsOrdered if anything would be erased or left that differs from the orders. */
export async function eraseAsOrdered(
  target: TablesTarget,
  session: SqlSession,
  orders: readonly EraseOrder[],
): Promise<Erasure[]> {
  const { config, dialect, work, names, ownValues } = target;
  const [before, { plan, catalogue }] = await Promise.all([
    readChanges(session, dialect, names, work),
    target.planNow(session),
  ]);
  const context: FindContext = { session, dialect, config, plan, ownValues };
  if (!canEraseAsOrdered(context, plan)) throw new NotAsOrdered();
  if (!orders.every((order) => fitsLayout(plan.erased, order))) throw new NotAsOrdered();
  if ((await isLookedUpOtherwise(context, orders)).includes(true)) throw new NotAsOrdered();
  for (const table of plan.erased)
    if (table.vias.length === 0) await requireOwn(context, table, orders);
  await target.beforeChange?.();

  const tenants = orders.map((order) => tenantOf(config.tenancy, order));
  const { detached, changes } = await decideReferences(
    { ...context, subjects: orders, tenants, isErasing: true },
    plan.references.filter(({ detachedBy }) => detachedBy !== null),
    (table, place) => orders[place]?.keys[table] ?? [],
  );
  const own = createOwnChanges();
  for (const [table, count] of changes) own.add(table, count);
  const eraseTable = async (table: PlannedTable): Promise<void> => {
    const rows = orders.flatMap(({ keys }) => keys[table.name] ?? []);
    own.add(table.name, rows.length);
    const [via] = table.vias;
    if (via === undefined) {
      const { isTriggered } = await deleteRows(context, table, rows);
      if (isTriggered) throw new NotAsOrdered();
    } else
      await deleteChildren(context, orders, {
        table,
        via,
        rows,
        isListed: work.cascades.includes(table.name),
      });
  };
  // Statements are sent in the order of the tables. If each table is one statement, they need not wait
  // until we have checked the results: if we refuse one, everything is rolled back.
  const isOneEach = plan.erased.every(
    ({ name, keySize, vias: [via] }) =>
      // Rows that must be searched through their parents are searched before the parents are deleted.
      (via === undefined || (via.isForeignKey && !work.cascades.includes(name))) &&
      orders.reduce((sum, { keys }) => sum + (keys[name]?.length ?? 0), 0) <=
        sizeFor(dialect, keySize),
  );
  if (!isOneEach) for (const table of plan.erased) await eraseTable(table);
  const erasing = isOneEach ? plan.erased.map(eraseTable) : [];
  const counting = readAllChanges(session, dialect, names, work);
  const [counted] = await Promise.allSettled([counting, ...erasing]);
  // Waits for all statements before an error is thrown, and so before the transaction ends.
  for (const one of erasing) await one;
  if (counted.status === 'rejected') throw counted.reason;
  const after = counted.value;
  await refuseOtherChanges({ ...context, work, catalogue }, before, after, own);
  await target.requireSameSchema(session, catalogue);
  return orders.map(({ keys }, place) => {
    const erased = byName<number>();
    for (const { name } of plan.erased) {
      const rows = keys[name]?.length ?? 0;
      if (rows > 0) erased[name] = rows;
    }
    return { outcome: 'erased', counts: erased, ...saidOf(detached[place]) };
  });
}

/**
 * The rows that an identity finds now must be exactly those that were ordered, each for the same person.
 */
async function requireOwn(
  { session, dialect, config }: FindContext,
  table: PlannedTable,
  orders: readonly EraseOrder[],
): Promise<void> {
  const ordered = new Map<string, number>();
  orders.forEach(({ keys }, place) => {
    for (const values of keys[table.name] ?? []) ordered.set(rowId(table, values), place);
  });
  const found = new Set<string>();
  const matcher = createIdentityMatcher(session, dialect, config, orders);
  for (const match of table.matches) {
    for await (const { row, owners } of matcher.find(
      table,
      match,
      selectKeys(dialect, table),
      '',
    )) {
      const id = rowId(table, readKeys(table, row));
      const place = ordered.get(id);
      if (place === undefined || !owners.includes(place)) throw new NotAsOrdered();
      found.add(id);
    }
  }
  if (found.size !== ordered.size) throw new NotAsOrdered();
}

interface Children {
  readonly table: PlannedTable;
  readonly via: PlannedVia;
  readonly rows: readonly KeyRow[];
  /**
   * Whether something else may change the table too, so that the effects of a foreign key cannot be
   * counted.
   */
  readonly isListed: boolean;
}

/** Counts them by the parent to which each row refers when it is deleted. */
async function deleteChildren(
  { session, dialect }: FindContext,
  orders: readonly EraseOrder[],
  { table, via, rows, isListed }: Children,
): Promise<void> {
  const places = new Map<string, number>();
  const references: KeyRow[] = [];
  orders.forEach(({ keys }, place) => {
    for (const values of keys[via.parent] ?? []) {
      const reference = via.positions.map((position) => values[position] ?? null);
      const text = referenceText(reference);
      if (text === undefined) continue;
      places.set(text, place);
      references.push(reference);
    }
  });
  const columns = table.columns.slice(0, table.keySize);
  const reference = via.columns.map((column) => dialect.readKey(column)).join();
  const counts = orders.map(() => 0);
  for (const chunk of inChunks(rows, sizeFor(dialect, table.keySize))) {
    const { rows: groups } = await runStatement(session, dialect, (bind) => {
      const among = dialect.amongKeys(columns, chunk, bind);
      return `WITH q AS (DELETE FROM ${table.sqlName} WHERE ${among} RETURNING ${reference} AS f) SELECT q.f, count(*)::text AS n FROM q GROUP BY q.f`;
    });
    for (const group of groups) {
      const place = places.get(textAt(group, 'f') ?? '');
      if (place === undefined) throw new NotAsOrdered();
      counts[place] = (counts[place] ?? 0) + Number(group.n);
    }
  }
  const isAsOrdered = orders.every(
    ({ keys }, place) => counts[place] === (keys[table.name]?.length ?? 0),
  );
  if (!isAsOrdered) throw new NotAsOrdered();
  // A foreign key refuses, or counts, rows that would be left behind; without one they have to be searched
  // for.
  if (via.isForeignKey && !isListed) return;
  for (const chunk of inChunks(references, sizeFor(dialect, 1))) {
    const { rows: left } = await runStatement(session, dialect, (bind) => {
      const among = dialect.amongKeys(via.columns, chunk, bind);
      return `SELECT 1 AS n FROM ${table.sqlName} WHERE ${among} LIMIT 1`;
    });
    if (left.length > 0) throw new NotAsOrdered();
  }
}
