// A store in SQLite with rows in every table, made without a server: what they mean matters to nobody here.
import { randomBytes, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { TABLE_NAMES } from '../../../src/store/copy/tables.ts';
import { databasePathIn, openSqliteStore } from '../../../src/store/sqlite/open-store.ts';

const ROWS = 5;

type Made = string | number | Uint8Array | null;

/** What a column may hold, where not anything will do. */
const CHOICES: Readonly<Record<string, (n: number) => Made>> = {
  status: (n) => ['pending', 'in_progress', 'completed', 'cancelled'][n % 4] ?? null,
  phase: (n) => (n % 2 === 0 ? 'erase' : 'resolve'),
  state: (n) => ['waiting', 'running', 'erased', 'failed', 'held'][n % 5] ?? null,
  what: (n) => ['rows', 'tasks', 'starts', 'completed', 'nowhere'][n % 5] ?? null,
  subject_request_id: (n) => (n % 2 === 0 ? randomUUID() : randomUUID().toUpperCase()),
  intent_state: (n) => ['recorded', 'done'][n % 2] ?? null,
  evidence: () => '{"action":"erased","tables":[]}',
  controller_id: (n) => `controller_id-${n}`,
  client_id: (n) => `client_id-${n}`,
};

export async function fillStore(dataDir: string): Promise<void> {
  await openSqliteStore(dataDir, Date.now).close();
  changeStore(dataDir, (database) => {
    for (const table of TABLE_NAMES) {
      if (!table.endsWith('_progress')) fillTable(database, table);
    }
    database.exec(`UPDATE alarm_progress SET seen_request_no = 3;
                   INSERT INTO statistics_progress VALUES (1, 3, 0, 0, 0);
                   UPDATE sqlite_sequence SET seq = 900 WHERE name = 'batches'`);
  });
}

export function changeStore<T>(dataDir: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(databasePathIn(dataDir), {
    enableForeignKeyConstraints: false,
  });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function fillTable(database: DatabaseSync, table: string): void {
  const columns = database
    .prepare('SELECT name, type, "notnull" AS isNeeded, pk FROM pragma_table_info(?)')
    .all(table);
  const insert = database.prepare(
    `INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (let n = 1; n <= ROWS; n++) {
    const values = columns.map(({ name, type, isNeeded, pk }) => {
      // Some are left out, where they may be.
      if (isNeeded === 0 && pk === 0 && n % 3 === 0) return null;
      return (CHOICES[String(name)] ?? ANY[String(type)])?.(n, String(name)) ?? null;
    });
    insert.run(...values);
  }
}

const ANY: Readonly<Record<string, (n: number, name: string) => Made>> = {
  INTEGER: (n, name) => (name.endsWith('_time') ? 1_700_000_000_000 + n : n),
  // Orders by bytes and by letters differ, and none may be lost: quotes, backslashes, other alphabets.
  TEXT: (n, name) => ['"a\\b"', 'Ä', 'Z', 'a, {b}', '\u{1f642} NULL'][n - 1] + name,
  BLOB: (n) => (n === 1 ? new Uint8Array(0) : randomBytes(10 * n)),
};
