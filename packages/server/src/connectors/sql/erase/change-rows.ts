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
import { overwrittenTogether } from './overwrite-together.ts';
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
  async function overwrite(entries: readonly PlannedTable[]): Promise<void> {
    const now = new Date().toISOString();
    const parts = entries.flatMap((entry) => {
      const byTime = Map.groupBy(
        people.filter((one) => one !== undefined),
        ({ order }) => order.layout?.[entry.name]?.time ?? now,
      );
      return [...byTime].map(([time, some]) => ({ entry, time, rows: rowsIn(entry, some) }));
    });
    for (const one of overwrittenTogether(parts)) {
      const overwritten = await overwriteRows(batch, one.table, one.rows, one.timeOf);
      for (const { name } of one.entries)
        done.set(name, overwritten.done.union(done.get(name) ?? new Set()));
      addFollowed(overwritten.followed);
      const { table } = one.table;
      own.add(table, one.rows.length - overwritten.done.size);
      const ids = one.rows.map((values) => rowId(one.table, values));
      own.addRows(table, new Set(ids).difference(overwritten.done));
    }
  }

  async function remove(entries: readonly PlannedTable[]): Promise<void> {
    const rows = entries.flatMap((entry) => rowsIn(entry, people));
    const [table] = entries;
    if (rows.length === 0 || table === undefined) return;
    const size = entries.reduce((sum, entry) => sum + countIn(entry, people), 0);
    const deleted = await deleteRows(batch, table, rows, size);
    own.add(table.table, deleted.changes + size);
    own.addDeleted(table.table, size);
    if (deleted.isTriggered) own.addTriggered(table.table);
    own.addRows(
      table.table,
      rows.map((values) => rowId(table, values)),
    );
  }

  async function eraseTable(table: PlannedTable): Promise<void> {
    const entries = changedTogether(plan, table);
    if (entries.at(-1) !== table) return;
    await (table.action.kind === 'overwrite' ? overwrite(entries) : remove(entries));
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

/** Deleted rows of several entries may refer to each other, and overwritten ones may be the same. */
function changedTogether({ erased }: Plan, table: PlannedTable): PlannedTable[] {
  if (table.action.kind === 'overwrite')
    return erased.filter((one) => one === table || table.beside.includes(one.name));
  if (table.selfKeys.length === 0) return [table];
  return erased.filter((one) => one.table === table.table && one.action.kind === table.action.kind);
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

/**
 * Rows that had their new values already, by a trigger or by another entry of the table, are not counted. A row of several
 * entries counts once.
 */
function countsOf(
  { found }: ToErase,
  { erased }: Plan,
  done: ReadonlyMap<string, ReadonlySet<string>>,
) {
  const counts = byName<number>();
  const counted = new Map<string, Set<string>>();
  for (const table of erased) {
    const rows = found.keys[table.name] ?? [];
    const before = new Set(done.get(table.name));
    for (const other of table.beside) for (const id of counted.get(other) ?? []) before.add(id);
    const left =
      before.size === 0 ? rows : rows.filter((values) => !before.has(rowId(table, values)));
    if (left.length > 0) counts[table.name] = left.length;
    if (table.beside.length > 0)
      counted.set(table.name, new Set(left.map((values) => rowId(table, values))));
  }
  return counts;
}
