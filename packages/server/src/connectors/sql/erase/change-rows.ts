// Changes the rows that were found, children first, and keeps account of every change.
import { byName } from '../../../domain/by-name.ts';
import type { Erasure, KeyRow } from '../../../domain/target/connector.ts';
import { goesFirst, saidOf } from '../find/decide-references.ts';
import { rowId } from '../find/found-rows.ts';
import type { Plan, PlannedTable } from '../plan/plan.ts';
import { countFollowersOfReleased } from './count-followers.ts';
import { deleteRows } from './delete-rows.ts';
import type { RowsToErase, ToErase } from './find-to-erase.ts';
import { letGo } from './let-go.ts';
import { overwriteRows } from './overwrite-rows.ts';
import { createOwnChanges, type OwnChanges } from './own-changes.ts';

export interface ChangedRows {
  /** Everything that our statements, and what the plan allows, have changed. */
  readonly own: OwnChanges;
  /** By task number. */
  readonly erasures: ReadonlyMap<number, Erasure>;
}

export async function changeRows({ batch, people, references }: RowsToErase): Promise<ChangedRows> {
  const { plan, dialect, session } = batch;
  const own = createOwnChanges();
  for (const [table, count] of references.changes) own.add(table, count);
  for (const [table, ids] of references.referring) own.addRows(table, ids);
  const addFollowed = (followed: ReadonlyMap<string, number>) => {
    for (const [table, count] of followed) {
      own.add(table, count);
      own.addUnnamed(table, count);
    }
  };
  const done = new Map<string, ReadonlySet<string>>();

  /** The rows of each person get the time of that person's order. */
  async function overwrite(table: PlannedTable): Promise<Set<string>> {
    const byTime = Map.groupBy(
      people.filter((one) => one !== undefined),
      ({ order }) => order.layout?.[table.name]?.time,
    );
    let before = new Set<string>();
    for (const [time, ordered] of byTime) {
      const rows = rowsIn(table, ordered);
      if (rows.length === 0) continue;
      const overwritten = await overwriteRows(batch, table, rows, time);
      before = before.union(overwritten.done);
      addFollowed(overwritten.followed);
    }
    return before;
  }

  async function eraseTable(table: PlannedTable): Promise<void> {
    const entries = deletedTogether(plan, table);
    if (entries.at(-1) !== table) return;
    const rows = entries.flatMap((entry) => rowsIn(entry, people));
    if (rows.length === 0) return;
    const size = entries.reduce((sum, entry) => sum + countIn(entry, people), 0);
    if (table.action.kind === 'overwrite') done.set(table.name, await overwrite(table));
    else {
      const deleted = await deleteRows(batch, table, rows, size);
      own.add(table.table, deleted.changes);
      own.addDeleted(table.table, size);
      if (deleted.isTriggered) own.addTriggered(table.table);
    }
    const before = done.get(table.name) ?? new Set();
    own.add(table.table, size - before.size);
    const ids = rows.map((values) => rowId(table, values));
    own.addRows(table.table, new Set(ids).difference(before));
  }

  for (const table of plan.erased) if (goesFirst(table)) await eraseTable(table);
  for (const one of references.released) {
    addFollowed(await countFollowersOfReleased(batch, one));
    if (one.foreign.nulled.length > 0) own.add(one.foreign.table.name, await letGo(batch, one));
  }
  if (dialect.defer !== null && plan.references.some(({ release }) => release === 'deferred'))
    await session.query(dialect.defer.sql);
  for (const table of plan.erased) if (!goesFirst(table)) await eraseTable(table);

  const erasures = people.map((one, place): [number, Erasure][] => {
    if (one === undefined) return [];
    const counts = countsOf(one, plan, done);
    const detached = saidOf(references.detached[place]);
    return [[one.order.taskNo, { outcome: 'erased', counts, ...detached }]];
  });
  return { own, erasures: new Map(erasures.flat()) };
}

/** Rows of several entries may refer to each other, so there is one order for all of them. */
function deletedTogether({ erased }: Plan, table: PlannedTable): PlannedTable[] {
  const isDeleted = ({ action }: PlannedTable) => action.kind === 'delete';
  if (table.selfKeys.length === 0 || !isDeleted(table)) return [table];
  return erased.filter((one) => one.table === table.table && isDeleted(one));
}

type People = readonly (ToErase | undefined)[];

/** Each row once: equal rows that cannot be told apart are represented by one. */
function rowsIn(table: PlannedTable, people: People): KeyRow[] {
  const all = people.flatMap((one) => one?.found.keys[table.name] ?? []);
  return table.isUnnamed
    ? [...new Map(all.map((values) => [rowId(table, values), values])).values()]
    : all;
}

function countIn({ name }: PlannedTable, people: People): number {
  return people.reduce((sum, one) => sum + (one?.found.keys[name]?.length ?? 0), 0);
}

/** Rows that had their new values already, by a trigger or by another entry of the table, are not counted. */
function countsOf(
  { found }: ToErase,
  { erased }: Plan,
  done: ReadonlyMap<string, ReadonlySet<string>>,
) {
  const counts = byName<number>();
  for (const table of erased) {
    const rows = found.keys[table.name] ?? [];
    const before = done.get(table.name);
    const count =
      before === undefined || before.size === 0
        ? rows.length
        : rows.filter((values) => !before.has(rowId(table, values))).length;
    if (count > 0) counts[table.name] = count;
  }
  return counts;
}
