// Several foreign keys may share a column. When one of them has set it to NULL, the others no longer refer
// to anything: so each row is changed once, by the first of them.
import type { Plan, PlannedReference } from '../plan/plan.ts';

/**
 * First the references that we set to NULL ourselves, then those that the database sets when their parents
 * are deleted.
 */
export function inOrderOfRelease(
  { erased }: Plan,
  references: readonly PlannedReference[],
): PlannedReference[] {
  const timeOf = ({ nulled, parent }: PlannedReference) =>
    nulled.length > 0 ? -1 : erased.findLastIndex(({ table }) => table === parent);
  return references.toSorted((one, other) => timeOf(one) - timeOf(other));
}

export interface LostColumns {
  /**
   * Whether the row with this id no longer refers by the key at this moment; later additions do not count.
   */
  of(foreign: PlannedReference): (id: string) => boolean;
  add(foreign: PlannedReference, id: string): void;
}

export function createLostColumns(): LostColumns {
  const tables = new Map<string, Map<string, ReadonlySet<string>>>();
  return {
    of({ table, columns }) {
      // In a table without a unique key, equal rows have one id, and all of them are changed.
      const before = new Map(tables.get(table.name));
      return (id) => columns.some(({ name }) => before.get(id)?.has(name));
    },
    add({ table, nulled, setColumns }, id) {
      const rows = tables.get(table.name) ?? new Map<string, ReadonlySet<string>>();
      tables.set(table.name, rows);
      const own = nulled.length > 0 ? nulled.map(({ name }) => name) : setColumns;
      rows.set(id, new Set([...(rows.get(id) ?? []), ...own]));
    },
  };
}
