// Sets of rows, by table. If it is known which values identify a row, only these are compared: the others may
// have changed.
import { byName, isEmpty } from '../../domain/by-name.ts';
import type { Counts, KeyRow, Keys } from '../../domain/target/connector.ts';
import type { KeyLayout } from '../../domain/target/row-layout.ts';

/** Contains each row once; of two equal rows the first stays. */
export function addKeys(a: Keys, b: Keys, layout?: KeyLayout): Keys {
  if (isEmpty(b)) return a;
  const tables = new Set([...Object.keys(a), ...Object.keys(b)]);
  return byName(
    [...tables].map((table) => [
      table,
      union(a[table] ?? [], b[table] ?? [], nameIn(layout, table)),
    ]),
  );
}

function union(
  a: readonly KeyRow[],
  b: readonly KeyRow[],
  nameOf: (row: KeyRow) => string,
): readonly KeyRow[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  // In a table without a unique key, equal rows are different rows: those within `a` or within `b` all stay.
  const named = new Set(a.map(nameOf));
  return [...a, ...b.filter((row) => !named.has(nameOf(row)))];
}

/** Rows of the first set that are not in the second. */
export function withoutKeys(keys: Keys, others: Keys, layout?: KeyLayout): Keys {
  return filterKeys(keys, others, layout, false);
}

export function commonKeys(keys: Keys, others: Keys, layout?: KeyLayout): Keys {
  return filterKeys(keys, others, layout, true);
}

function filterKeys(
  keys: Keys,
  others: Keys,
  layout: KeyLayout | undefined,
  isCommon: boolean,
): Keys {
  if (isEmpty(others)) return isCommon ? others : keys;
  return byName(
    Object.entries(keys).flatMap(([table, rows]): [string, readonly KeyRow[]][] => {
      const theirs = others[table] ?? [];
      if (theirs.length === 0) return isCommon ? [] : [[table, rows]];
      const nameOf = nameIn(layout, table);
      const named = new Set(theirs.map(nameOf));
      const left = rows.filter((row) => named.has(nameOf(row)) === isCommon);
      return left.length === 0 ? [] : [[table, left]];
    }),
  );
}

function nameIn(layout: KeyLayout | undefined, table: string): (row: KeyRow) => string {
  const keySize = layout?.[table]?.keySize;
  return (row) => {
    const key = row.slice(0, keySize);
    // A key contains no NULL: if it does, only the other columns of the row are known.
    return JSON.stringify(key.includes(null) ? row : key);
  };
}

/** A row of several entries of one table counts once, for the first of them. */
export function countKeys(keys: Keys, layout: KeyLayout = {}): Counts {
  const seen = new Map<string, Set<string>>();
  return byName(
    Object.entries(keys).flatMap(([name, rows]): [string, number][] => {
      const { table } = layout[name] ?? {};
      const before = (table !== undefined && seen.get(table)) || new Set<string>();
      const own = table === undefined ? [] : rows.map(nameIn(layout, name));
      if (table !== undefined) seen.set(table, before.union(new Set(own)));
      const count = rows.length - own.filter((row) => before.has(row)).length;
      return count === 0 ? [] : [[name, count]];
    }),
  );
}

export function hasRows(keys: Keys | undefined): boolean {
  return keys !== undefined && Object.values(keys).some((rows) => rows.length > 0);
}
