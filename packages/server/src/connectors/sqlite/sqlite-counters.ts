// Counts what happens to the rows of each table in a transaction, by any means: statements, foreign
// keys, triggers. SQLite itself returns only the sum. The counting is done by temporary triggers of this
// connection, which no other connection sees, and which SQLite runs before the triggers of the file.
import type { DatabaseSync } from 'node:sqlite';

interface Counted {
  readonly table: string;
  inserted: number;
  updated: number;
  deleted: number;
  /** Rows that were updated or deleted. */
  readonly rows: Set<string>;
}

/** The result of the function `unwrite_changes()`, in JSON, one for each table that was changed. */
export interface CountedChanges {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  /** Rows updated or deleted, each counted once. */
  readonly rows: number;
}

export interface ChangeCounters {
  /** Starts counting from 0, in a transaction that has just begun. False if the schema has changed. */
  start(): boolean;
}

// Virtual tables cannot have triggers, and the tables behind them are internal.
const TABLES = `
  SELECT l.name, l.wr AS isWithoutRowid FROM pragma_table_list l
  WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;
const COLUMNS = "SELECT name, pk FROM pragma_table_xinfo(?, 'main') ORDER BY pk";

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

export function createChangeCounters(database: DatabaseSync): ChangeCounters {
  const counted: Counted[] = [];
  const versionNow = () => database.prepare('PRAGMA main.schema_version').get()?.schema_version;
  const options = { varargs: true, useBigIntArguments: true };
  database.function('unwrite_changed', options, (place, event, ...key) => {
    const table = counted[Number(place)];
    if (table === undefined) return null;
    if (event === 'insert') table.inserted++;
    else if (event === 'update') table.updated++;
    else table.deleted++;
    if (event !== 'insert') table.rows.add(JSON.stringify(key.map(keyText)));
    return null;
  });
  database.function('unwrite_changes', () =>
    JSON.stringify(
      counted
        .filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0)
        .map(({ rows, ...counts }): CountedChanges => ({ ...counts, rows: rows.size })),
    ),
  );
  const version = versionNow();
  database.exec('BEGIN');
  for (const { name, isWithoutRowid } of database.prepare(TABLES).all()) {
    const table = String(name);
    const place = counted.push({ table, ...NOTHING, rows: new Set() }) - 1;
    const columns = database.prepare(COLUMNS).all(table);
    const key = keyOf(columns, Number(isWithoutRowid) === 1).map(
      (column) => `, OLD.${quote(column)}`,
    );
    for (const event of ['insert', 'update', 'delete']) {
      const row = event === 'insert' ? '' : key.join('');
      database.exec(
        `CREATE TEMP TRIGGER ${quote(`unwrite ${event} ${place}`)} AFTER ${event} ON main.${quote(table)}
         BEGIN SELECT unwrite_changed(${place}, '${event}'${row}); END`,
      );
    }
  }
  database.exec('COMMIT');
  return {
    start() {
      for (const table of counted) {
        Object.assign(table, NOTHING);
        table.rows.clear();
      }
      return versionNow() === version;
    },
  };
}

const NOTHING = { inserted: 0, updated: 0, deleted: 0 };

/** Identifies a row: the rowid, by a name that no column has, or the primary key. */
function keyOf(
  columns: readonly Readonly<Record<string, unknown>>[],
  isWithoutRowid: boolean,
): string[] {
  const names = columns.map(({ name }) => String(name));
  const taken = new Set(names.map((name) => name.toLowerCase()));
  const free = ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name));
  if (!isWithoutRowid && free !== undefined) return [free];
  const key = columns.filter(({ pk }) => Number(pk) > 0).map(({ name }) => String(name));
  return key.length > 0 ? key : names;
}

function keyText(value: unknown): string {
  if (value instanceof Uint8Array) return `b:${Buffer.from(value).toString('hex')}`;
  return `${typeof value}:${value}`;
}
