// Follows what foreign keys do besides the statements, from the tables from which rows are deleted.
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue, ForeignKey } from '../catalogue.ts';
import { isDetached } from './detached-columns.ts';

export interface Cascade {
  readonly key: ForeignKey;
  /** `deleted`: the referring row is deleted too. `changed`: its reference gets another value. */
  readonly effect: 'deleted' | 'changed';
}

/** Recursive: deleted rows may cascade further. Ignores references that are set to NULL before. */
export function findCascades(
  catalogue: Catalogue,
  deleted: readonly string[],
  work: Pick<TablesWork, 'detach'>,
): Cascade[] {
  const cascades: Cascade[] = [];
  const seen = new Set<string>(deleted);
  const open = [...deleted];
  for (let table = open.pop(); table !== undefined; table = open.pop()) {
    for (const key of catalogue.get(table)?.referencedBy ?? []) {
      if (key.onDelete === 'no_action' || key.onDelete === 'restrict') continue;
      if (isDetached(work, key)) continue;
      const effect = key.onDelete === 'cascade' ? 'deleted' : 'changed';
      cascades.push({ key, effect });
      if (effect === 'changed' || seen.has(key.table)) continue;
      seen.add(key.table);
      open.push(key.table);
    }
  }
  return cascades;
}
