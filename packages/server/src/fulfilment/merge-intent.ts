// What a new preview finds is added to what an earlier attempt meant to erase: a parent that is gone
// already must not hide its children, and a row that came since belongs to the request too.
import { byName } from '../domain/by-name.ts';
import type { Counts, Found, KeyLayout, KeyRow, Keys } from '../domain/connector.ts';

export interface Intended {
  readonly counts: Counts;
  readonly retained: Counts;
  readonly keys: Keys;
  readonly layout?: KeyLayout | undefined;
  /** Rows that are kept because they are somebody else's too. */
  readonly kept?: Counts | undefined;
  /** Rows that earlier attempts of this task erased. */
  readonly gone?: Keys | undefined;
  /** Numbers of rows that somebody else deleted before an attempt came to them. */
  readonly alreadyGone?: Counts | undefined;
}

export function mergeIntent(found: Intended, before: Intended | undefined): Intended {
  if (before === undefined) return found;
  const layout = found.layout ?? before.layout;
  const keys = addKeys(found.keys, before.keys, layout);
  return {
    keys,
    layout,
    counts: mergeCounts(found.counts, before.counts, keys),
    retained: found.retained,
  };
}

/** Where rows are named by keys, their number is the count; elsewhere the larger one is on the safe side. */
function mergeCounts(a: Counts, b: Counts, keys: Keys): Counts {
  const tables = new Set([...Object.keys(a), ...Object.keys(b)]);
  return byName(
    [...tables].map((table) => {
      const rows = keys[table];
      return [table, rows?.length ?? Math.max(a[table] ?? 0, b[table] ?? 0)];
    }),
  );
}

/** By table, each row once. */
export function addKeys(a: Keys, b: Keys, layout?: KeyLayout): Keys {
  const tables = new Set([...Object.keys(a), ...Object.keys(b)]);
  return byName(
    [...tables].map((table) => [
      table,
      union(a[table] ?? [], b[table] ?? [], layout?.[table]?.keySize),
    ]),
  );
}

/** By the values that name a row, where that is known: the others may have changed. The first stays. */
function union(
  a: readonly KeyRow[],
  b: readonly KeyRow[],
  keySize: number | undefined,
): readonly KeyRow[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const nameOf = (row: KeyRow) => JSON.stringify(row.slice(0, keySize));
  const named = new Map(a.map((row) => [nameOf(row), row]));
  for (const row of b) if (!named.has(nameOf(row))) named.set(nameOf(row), row);
  return [...named.values()];
}

/** By table, the larger one. */
export function maxCounts(a: Counts, b: Counts): Counts {
  const max = byName(Object.entries(a));
  for (const [table, rows] of Object.entries(b)) max[table] = Math.max(max[table] ?? 0, rows);
  return max;
}

/** By table, as far as both name it. */
export function addCounts(a: Counts, b: Counts): Counts {
  const sum = byName(Object.entries(a));
  for (const [table, rows] of Object.entries(b)) sum[table] = (sum[table] ?? 0) + rows;
  return sum;
}

export function nothingFound(): Found {
  return { outcome: 'found', counts: byName(), retained: byName(), keys: byName(), sharedWith: [] };
}
