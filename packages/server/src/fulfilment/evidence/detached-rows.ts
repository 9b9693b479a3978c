// Rows that stay and have lost their references to deleted rows: each counts once, over all attempts.
import { byName } from '../../domain/by-name.ts';
import type { Counts, KeyRow, Keys } from '../../domain/target/connector.ts';
import type { DetachedRows } from '../../domain/target/row-layout.ts';
import type { Tables } from '../../domain/task/task.ts';
import { addKeys, countKeys } from '../intent/key-rows.ts';

export interface DetachedNow {
  readonly detached?: Counts | undefined;
  readonly detachedRows?: readonly DetachedRows[] | undefined;
}

/** Grouped by table; a row may have lost several references. */
export function keysOf(groups: readonly DetachedRows[] = []): Keys {
  const keys = byName<readonly KeyRow[]>();
  for (const { table, rows } of groups) {
    const known = byName<readonly KeyRow[]>([[table, keys[table] ?? []]]);
    keys[table] = addKeys(known, byName([[table, rows]]))[table] ?? [];
  }
  return keys;
}

/** Detached rows over all attempts. `before`: the numbers on record; `known`: those of their rows that have keys. */
export function countDetached(before: Tables, known: Keys, now: DetachedNow): Counts {
  const { detached = byName<number>() } = now;
  const keys = keysOf(now.detachedRows);
  const named = countKeys(addKeys(known, keys));
  const tables = new Set([...Object.keys(before), ...Object.keys(detached), ...Object.keys(named)]);
  return byName(
    [...tables].flatMap((table): [string, number][] => {
      const earlier = before[table]?.detached ?? 0;
      const isNamed = keys[table] !== undefined || detached[table] === undefined;
      const count = isNamed
        ? Math.max(earlier, named[table] ?? 0)
        : earlier + (detached[table] ?? 0);
      return count > 0 ? [[table, count]] : [];
    }),
  );
}
