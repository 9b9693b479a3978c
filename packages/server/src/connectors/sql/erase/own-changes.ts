// Counts, by table, what our own statements change in a transaction, and what the operator has allowed to
// change with it. What the database reports is compared with this.
export interface OwnChanges {
  /** Counts every change of a row. */
  add(table: string, changes: number): void;
  addDeleted(table: string, rows: number): void;
  /** Triggers have deleted some of its rows before we came to them, if the database counts as many deletions. */
  addTriggered(table: string): void;
  /** Rows by their ids within the table. */
  addRows(table: string, ids: Iterable<string>): void;
  /** Rows of which only the number is known. */
  addUnnamed(table: string, rows: number): void;
  readonly tables: Iterable<string>;
  of(table: string): {
    readonly changes: number;
    readonly deleted: number;
    readonly rows: number;
    readonly unnamed: number;
    readonly isTriggered: boolean;
  };
}

export function createOwnChanges(): OwnChanges {
  const changed = new Map<string, number>();
  const deleted = new Map<string, number>();
  const unnamed = new Map<string, number>();
  const rows = new Map<string, Set<string>>();
  const triggered = new Set<string>();
  const addTo = (counts: Map<string, number>, table: string, count: number) =>
    counts.set(table, (counts.get(table) ?? 0) + count);
  return {
    add: (table, changes) => void addTo(changed, table, changes),
    addDeleted: (table, count) => void addTo(deleted, table, count),
    addTriggered: (table) => void triggered.add(table),
    addUnnamed: (table, count) => void addTo(unnamed, table, count),
    addRows(table, ids) {
      rows.set(table, (rows.get(table) ?? new Set()).union(new Set(ids)));
    },
    get tables() {
      return changed.keys();
    },
    of: (table) => ({
      changes: changed.get(table) ?? 0,
      deleted: deleted.get(table) ?? 0,
      rows: (rows.get(table)?.size ?? 0) + (unnamed.get(table) ?? 0),
      unnamed: unnamed.get(table) ?? 0,
      isTriggered: triggered.has(table),
    }),
  };
}
