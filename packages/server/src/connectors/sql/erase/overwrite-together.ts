// Several entries may overwrite columns of one row, also for several people: it is changed once, by one statement.
import type { KeyRow } from '../../../domain/target/connector.ts';
import type { Overwrite } from '../../../domain/target/target.ts';
import { rowId } from '../find/found-rows.ts';
import type { Follower, PlannedTable } from '../plan/plan.ts';
import type { TimeOf } from './overwrite-rows.ts';

export interface RowsOfEntry {
  readonly entry: PlannedTable;
  readonly rows: readonly KeyRow[];
  /** What a column that is overwritten by the time gets. */
  readonly time: string;
}

export interface OverwrittenTogether {
  /** All columns that these rows lose. */
  readonly table: PlannedTable;
  readonly entries: readonly PlannedTable[];
  readonly rows: readonly KeyRow[];
  readonly timeOf: TimeOf;
}

export function overwrittenTogether(all: readonly RowsOfEntry[]): OverwrittenTogether[] {
  const ways = new Map<string, { readonly row: KeyRow; readonly parts: RowsOfEntry[] }>();
  for (const part of all)
    for (const row of part.rows) {
      const id = rowId(part.entry, row);
      const known = ways.get(id);
      if (known === undefined) ways.set(id, { row, parts: [part] });
      // Equal rows that cannot be told apart are represented by one.
      else if (!known.parts.includes(part)) known.parts.push(part);
    }
  const nameOf = new Map(all.map((part, place) => [part, place]));
  const groups = Map.groupBy(ways.values(), ({ parts }) =>
    parts.map((part) => nameOf.get(part)).join(),
  );
  return [...groups.values()].map((group): OverwrittenTogether => {
    const parts = group[0]?.parts ?? [];
    const entries = parts.map(({ entry }) => entry);
    const times = new Map(
      parts.flatMap(({ entry, time }) => [...entry.overwritten.keys()].map((name) => [name, time])),
    );
    return {
      table: joined(entries),
      entries,
      rows: group.map(({ row }) => row),
      timeOf: (column) => times.get(column) ?? '',
    };
  });
}

function joined(entries: readonly PlannedTable[]): PlannedTable {
  const [first, ...others] = entries;
  if (first === undefined) throw new Error('there are no entries to join');
  if (others.length === 0) return first;
  const columns: Record<string, Overwrite> = {};
  for (const { action } of entries)
    if (action.kind === 'overwrite') Object.assign(columns, action.columns);
  return {
    ...first,
    name: first.table,
    action: { kind: 'overwrite', columns },
    overwritten: new Map(entries.flatMap(({ overwritten }) => [...overwritten])),
    followers: distinct(entries.flatMap(({ followers }) => followers)),
  };
}

/** A key of several columns may follow two of the entries. */
function distinct(followers: readonly Follower[]): Follower[] {
  const nameOf = ({ table, columns, referenced }: Follower) =>
    JSON.stringify([table, columns, referenced]);
  return [...new Map(followers.map((one) => [nameOf(one), one])).values()];
}
