// Erases the rows of the orders, in one transaction for the batch.
import { byName } from '../../../domain/by-name.ts';
import type {
  EraseOrder,
  Erasure,
  KeyRow,
  RecordTransaction,
} from '../../../domain/target/connector.ts';
import {
  askedBefore,
  type Detached,
  decideReferences,
  goesFirst,
  ReferredMeanwhile,
  saidOf,
} from '../find/decide-references.ts';
import type { FindBatch } from '../find/find-context.ts';
import { rowId } from '../find/found-rows.ts';
import { tenantOf } from '../find/tenants.ts';
import { runHalving } from '../halve.ts';
import { keepSettings } from '../keep-settings.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { Plan, PlannedReference, PlannedTable } from '../plan/plan.ts';
import { runReadable } from '../run-readable.ts';
import { SqlFailure, type SqlSession } from '../session.ts';
import type { TablesTarget } from '../tables-target.ts';
import { countFollowersOfReleased } from './count-followers.ts';
import { type Claims, type DecidedOrder, decideOrders } from './decide-orders.ts';
import { deleteRows } from './delete-rows.ts';
import { canEraseAsOrdered, eraseAsOrdered, NotAsOrdered } from './erase-as-ordered.ts';
import { readAllChanges, readChanges, refuseOtherChanges } from './guard-changes.ts';
import { letGo } from './let-go.ts';
import { nameTriggers } from './name-triggers.ts';
import { overwriteRows } from './overwrite-rows.ts';
import { createOwnChanges } from './own-changes.ts';
import { timesOf } from './time-text.ts';

export async function eraseRows(
  target: TablesTarget,
  orders: readonly EraseOrder[],
  record?: RecordTransaction,
): Promise<Erasure[]> {
  const firesTriggers = target.work.triggers.length > 0;
  const write = (batch: readonly EraseOrder[], work: (session: SqlSession) => Promise<Erasure[]>) =>
    target.transactions.run(
      batch,
      (session) =>
        firesTriggers ? keepSettings(target.dialect, session, () => work(session)) : work(session),
      record,
    );
  let claims: Claims | undefined;
  const carefully = async (batch: readonly EraseOrder[]) => {
    claims ??= await claimsOf(target, orders);
    const known = claims;
    const erase = () => write(batch, (session) => eraseBatch(target, session, batch, known));
    return erase().catch((error) => {
      if (error instanceof ReferredMeanwhile) return erase();
      throw error;
    });
  };
  const run = async (batch: readonly EraseOrder[]): Promise<Erasure[]> => {
    if (!canEraseAsOrdered(target, await target.plan())) return carefully(batch);
    try {
      return await write(batch, (session) => eraseAsOrdered(target, session, batch));
    } catch (error) {
      if (isWorthACloserLook(error)) return carefully(batch);
      throw error;
    }
  };
  const alone = async (order: EraseOrder, failure: SqlFailure): Promise<Erasure | undefined> => {
    const plan = await target.plan();
    if (failure.refusedBy === 'constraint') return refusedBy(failure);
    return (
      (await again(order, failure, plan, run)) ??
      (await runReadable(target, order, failure, run)) ??
      nameTriggers(target, order, failure)
    );
  };
  return runHalving(orders, run, alone, target.isUsable);
}

/** Whether other rows than the plan's own may be affected, or the database itself may change rows. */
function acts({ onDelete, isFoundByVia, release }: PlannedReference): boolean {
  const isRefused = onDelete === 'no_action' || onDelete === 'restrict';
  return !isFoundByVia || release !== null || !isRefused;
}

function isWorthACloserLook(error: unknown): boolean {
  if (error instanceof NotAsOrdered || error instanceof NeedsDecision) return true;
  return error instanceof SqlFailure && error.isReference;
}

/**
 * Looks again for rows that stay and refer to the person's rows, before an operator is asked: they may have
 * been added since the transaction began.
 */
async function again(
  order: EraseOrder,
  failure: SqlFailure,
  plan: Plan,
  run: (batch: readonly EraseOrder[]) => Promise<readonly Erasure[]>,
): Promise<Erasure | undefined> {
  // SQLite implements RESTRICT with an internal trigger.
  const isReference = ({ isReference: is, code }: SqlFailure) =>
    is || (code === SQLITE_TRIGGER && plan.isRestricted);
  if (!isReference(failure)) return undefined;
  const [answer] = await runHalving([order], run, async (_, second) =>
    isReference(second) ? referredTo(second, plan) : undefined,
  );
  return answer;
}

const SQLITE_TRIGGER = 'sql_1811';

function referredTo(
  { message }: SqlFailure,
  { erased, refusing, referredOverwrites }: Plan,
): Erasure {
  const ways = [
    'declare the table that refers under "tables"',
    ...(refusing.length > 0
      ? [`let the reference become NULL: detach: [${refusing.join(', ')}]`]
      : []),
    ...(erased.some(({ action }) => action.kind === 'delete')
      ? ['overwrite instead of deleting']
      : []),
    ...referredOverwrites.map((column) => `do not overwrite ${column}`),
  ];
  return {
    outcome: 'held',
    reason: 'unplanned_change',
    detail: `rows that stay refer to rows of this request, so the database does not let them go (${message}); ${ways.join(', or ')}; reload, then release`,
  };
}

function refusedBy({ message }: SqlFailure): Erasure {
  return {
    outcome: 'held',
    reason: 'unplanned_change',
    detail: `a constraint refuses what erasing would change in rows that stay, and nothing was changed: ${message}; change the constraint or the rows, or overwrite instead of deleting, then release`,
  };
}

async function claimsOf(target: TablesTarget, orders: readonly EraseOrder[]): Promise<Claims> {
  const claims = new Map<string, Map<string, number>>();
  if (orders.length < 2) return claims;
  const { erased } = await target.plan();
  for (const table of erased) {
    const rows = new Map<string, number>();
    claims.set(table.name, rows);
    for (const { keys, taskNo } of orders)
      for (const values of keys[table.name] ?? []) rows.set(rowId(table, values), taskNo);
  }
  return claims;
}

async function eraseBatch(
  target: TablesTarget,
  session: SqlSession,
  orders: readonly EraseOrder[],
  claims: Claims,
): Promise<Erasure[]> {
  const { config, dialect, work, names, ownValues } = target;
  const [before, { plan, catalogue }] = await Promise.all([
    readChanges(session, dialect, names, work),
    target.planNow(session),
  ]);
  const times = timesOf(orders);
  const tenants = orders.map((order) => tenantOf(config.tenancy, order));
  const context: FindBatch = {
    session,
    dialect,
    config,
    plan,
    ownValues,
    subjects: orders,
    tenants,
    isErasing: true,
  };
  const decided = await decideOrders({ ...context, times }, orders, claims);
  await target.beforeChange?.();

  const rowsOf = (table: string): KeyRow[] =>
    decided.flatMap(({ erase }) => [...(erase.get(table)?.values() ?? [])]);
  const sizeOf = (table: string): number =>
    decided.reduce((sum, order) => sum + countRows(order, table), 0);
  const { detached, changes, referring, released } = await decideReferences(
    context,
    dialect.asksBeforeAll ? plan.references.filter(acts) : askedBefore(plan),
    (table, place) => decided[place]?.erase.get(table)?.values() ?? [],
  );
  const own = createOwnChanges();
  for (const [table, count] of changes) own.add(table, count);
  for (const [table, ids] of referring) own.addRows(table, ids);
  const addFollowed = (followed: ReadonlyMap<string, number>) => {
    for (const [table, count] of followed) {
      own.add(table, count);
      own.addUnnamed(table, count);
    }
  };
  const done = new Map<string, ReadonlySet<string>>();
  // The rows of each order get the time of that order.
  const overwrite = async (table: PlannedTable): Promise<Set<string>> => {
    const places = Map.groupBy(
      decided.keys(),
      (place) => orders[place]?.layout?.[table.name]?.time,
    );
    let before = new Set<string>();
    for (const [time, ordered] of places) {
      const rows = ordered.flatMap((place) => [
        ...(decided[place]?.erase.get(table.name)?.values() ?? []),
      ]);
      if (rows.length === 0) continue;
      const overwritten = await overwriteRows(context, table, rows, time);
      before = before.union(overwritten.done);
      addFollowed(overwritten.followed);
    }
    return before;
  };
  const eraseTable = async (table: PlannedTable): Promise<void> => {
    const entries = deletedTogether(plan, table);
    if (entries.at(-1) !== table) return;
    const rows = entries.flatMap(({ name }) => rowsOf(name));
    if (rows.length === 0) return;
    const size = entries.reduce((sum, { name }) => sum + sizeOf(name), 0);
    if (table.action.kind === 'overwrite') done.set(table.name, await overwrite(table));
    else {
      const deleted = await deleteRows(context, table, rows, size);
      own.add(table.table, deleted.changes);
      own.addDeleted(table.table, size);
      if (deleted.isTriggered) own.addTriggered(table.table);
    }
    const before = done.get(table.name) ?? new Set();
    own.add(table.table, size - before.size);
    const ids = rows.map((values) => rowId(table, values));
    own.addRows(table.table, new Set(ids).difference(before));
  };
  for (const table of plan.erased) if (goesFirst(table)) await eraseTable(table);
  for (const one of released) {
    addFollowed(await countFollowersOfReleased(context, one));
    if (one.foreign.nulled.length > 0) own.add(one.foreign.table.name, await letGo(context, one));
  }
  if (dialect.defer !== null && plan.references.some(({ release }) => release === 'deferred'))
    await session.query(dialect.defer.sql);
  for (const table of plan.erased) if (!goesFirst(table)) await eraseTable(table);
  await refuseOtherChanges(
    { ...context, work, catalogue },
    before,
    await readAllChanges(session, dialect, names, work),
    own,
  );
  await target.requireSameSchema(session, catalogue);
  return decided.map((order, place) => toErasure(order, detached[place], done));
}

/** Rows of several entries may refer to each other, so there is one order for all of them. */
function deletedTogether({ erased }: Plan, table: PlannedTable): PlannedTable[] {
  const isDeleted = ({ action }: PlannedTable) => action.kind === 'delete';
  if (table.selfKeys.length === 0 || !isDeleted(table)) return [table];
  return erased.filter((one) => one.table === table.table && isDeleted(one));
}

/** Equal rows that cannot be told apart are represented by one. */
function countRows({ erase, timesOf }: DecidedOrder, table: string): number {
  const ids = [...(erase.get(table)?.keys() ?? [])];
  return ids.reduce((sum, id) => sum + timesOf(table, id), 0);
}

function toErasure(
  order: DecidedOrder,
  detached: Detached | undefined,
  done: ReadonlyMap<string, ReadonlySet<string>>,
): Erasure {
  const { refused, erase, gone, changed, left, kept, goneUnnamed } = order;
  if (refused !== undefined) return refused;
  const counts = byName<number>();
  const absent = byName(Object.entries(gone));
  for (const [table, rows] of erase) {
    const before = [...rows].filter(([id]) => done.get(table)?.has(id));
    const count = countRows(order, table) - before.length;
    if (count > 0) counts[table] = count;
    if (before.length > 0)
      absent[table] = [...(absent[table] ?? []), ...before.map(([, values]) => values)];
  }
  return {
    outcome: 'erased',
    counts,
    ...(Object.keys(absent).length > 0 && { gone: absent }),
    ...(Object.keys(goneUnnamed).length > 0 && { goneUnnamed }),
    ...(Object.keys(changed).length > 0 && { changed }),
    ...(Object.keys(left).length > 0 && { left }),
    ...(Object.keys(kept).length > 0 && { kept }),
    ...saidOf(detached),
  };
}
