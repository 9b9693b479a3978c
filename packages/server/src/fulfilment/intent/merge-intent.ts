// Merges what a task is about to erase with what earlier attempts intended and did.
import { byName, isEmpty } from '../../domain/by-name.ts';
import type { Counts, Found, Keys } from '../../domain/target/connector.ts';
import type { KeyLayout } from '../../domain/target/row-layout.ts';
import type { IntendedRows } from '../../domain/task/fulfilment-ports.ts';
import { addKeys, countKeys, hasRows, withoutKeys } from './key-rows.ts';

/** An intent that is not sealed yet, with the numbers of rows. */
export interface Intended extends Omit<IntendedRows, 'layout' | 'said'> {
  readonly counts: Counts;
  readonly retained: Counts;
  readonly layout?: KeyLayout | undefined;
}

interface Carried {
  readonly gone: Keys;
  readonly goneElsewhere: Keys;
  readonly detachedBefore: Keys;
  readonly isErased: boolean;
  readonly times: readonly string[];
}

/** `before`: the intent of an earlier attempt with the same plan. */
export function mergeIntent(
  found: Found,
  { gone, goneElsewhere, detachedBefore, isErased, times }: Carried,
  before: Intended | undefined,
): Intended {
  const { layout } = found;
  // A module may look for what belonged to rows by their keys, also after they are gone.
  const keys =
    layout === undefined ? addKeys(found.keys, before?.keys ?? byName<never>()) : found.keys;
  // After erasing, parents do not lead to erased rows any more, nor to rows kept or retained beside them.
  const earlier = isErased ? before : undefined;
  const stayed = (rows: Keys | undefined) => withoutKeys(rows ?? byName(), keys, layout);
  const kept = addKeys(found.kept ?? byName(), stayed(earlier?.kept), layout);
  const retainedRows = addKeys(found.retainedRows ?? byName(), stayed(earlier?.retainedRows));
  const retained = maxCounts(found.retained, earlier?.retained ?? byName());
  return {
    // A target that only gives numbers may find fewer rows than all attempts together were to erase.
    counts:
      layout === undefined ? maxCounts(found.counts, before?.counts ?? byName()) : found.counts,
    keys,
    layout: layout ?? before?.layout,
    kept,
    gone,
    goneElsewhere,
    ...(times.length > 0 && { times }),
    retained: hasRows(retainedRows)
      ? addCounts(countKeys(retainedRows), withoutKeysOf(found))
      : retained,
    retainedRows,
    ...(found.detached !== undefined && { detached: found.detached }),
    ...(found.detachedRows !== undefined && { detachedRows: found.detachedRows }),
    ...(found.schemas !== undefined && { schemas: found.schemas }),
    detachedBefore,
  };
}

/** Numbers of retained rows in tables without keys. */
function withoutKeysOf({ retained, retainedRows }: Found): Counts {
  return byName(
    Object.entries(retained).filter(([table]) => (retainedRows?.[table] ?? []).length === 0),
  );
}

/** The larger count of each table. */
export function maxCounts(a: Counts, b: Counts): Counts {
  if (isEmpty(b)) return a;
  const max = byName(Object.entries(a));
  for (const [table, rows] of Object.entries(b)) max[table] = Math.max(max[table] ?? 0, rows);
  return max;
}

/** The sum of the counts of each table. */
export function addCounts(a: Counts, b: Counts): Counts {
  if (isEmpty(b)) return a;
  const sum = byName(Object.entries(a));
  for (const [table, rows] of Object.entries(b)) sum[table] = (sum[table] ?? 0) + rows;
  return sum;
}

/** The first count of each table minus the second; tables with nothing left are omitted. */
export function lessCounts(a: Counts, b: Counts): Counts {
  if (isEmpty(a)) return a;
  return byName(
    Object.entries(a)
      .map(([table, rows]): [string, number] => [table, rows - (b[table] ?? 0)])
      .filter(([, rows]) => rows > 0),
  );
}

export function nothingFound(): Found {
  return { outcome: 'found', counts: byName(), retained: byName(), keys: byName(), sharedWith: [] };
}
