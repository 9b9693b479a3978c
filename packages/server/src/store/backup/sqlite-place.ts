// Restores into a new file beside the place of the store. It gets the name of the store when it is complete; until then its
// own name keeps servers from starting (store/sqlite/open-store.ts).
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { syncFolder } from '../../files/synced.ts';
import { databaseOn } from '../sqlite/database.ts';
import { migrate, readMigrations } from '../sqlite/migrate.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { databasePathIn, restoringPathIn } from '../sqlite/open-store.ts';
import { takeServeLock } from '../sqlite/serve-lock.ts';
import type { BackedTable, Row } from './backup-format.ts';
import { knownMigrations, type RestorePlace, requireColumns } from './restore-place.ts';
import { columnsOf } from './sqlite-snapshot.ts';

export function sqlitePlace(dataDir: string, clock: () => number): RestorePlace {
  const lock = takeServeLock(dataDir);
  if (lock === undefined) {
    throw new NotPossible(
      `a server runs on ${dataDir}, or another restore; stop it, or give another --data-dir`,
    );
  }
  const path = restoringPathIn(dataDir);
  const target = databasePathIn(dataDir);
  let connection: DatabaseSync | undefined;
  const inserts = new Map<string, (row: Row) => void>();

  function opened(): DatabaseSync {
    if (connection === undefined) throw new Error('the restore has not begun');
    return connection;
  }

  function insertInto(table: BackedTable): (row: Row) => void {
    const known = inserts.get(table.name);
    if (known !== undefined) return known;
    const own = columnsOf(opened(), table.name);
    requireColumns(
      table,
      own.map(({ name }) => name),
    );
    const names = table.columns.map(({ name }) => name).join(', ');
    const places = table.columns.map(() => '?').join(', ');
    const statement = opened().prepare(`INSERT INTO ${table.name} (${names}) VALUES (${places})`);
    const insert = (row: Row) => void statement.run(...(row as SQLInputValue[]));
    inserts.set(table.name, insert);
    return insert;
  }

  return {
    kind: 'sqlite',
    async begin({ migrations }) {
      requireEmpty(dataDir);
      const known = knownMigrations(readMigrations(), migrations);
      for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true });
      closeSync(openSync(path, 'wx', 0o600));
      connection = openDatabase(path, 'write');
      migrate(connection, clock(), known);
      // A crash leaves nothing that is used, so nothing needs to be synced before the end.
      connection.exec(
        'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN',
      );
      for (const name of tablesIn(connection)) connection.exec(`DELETE FROM ${name}`);
    },
    async write(table, rows) {
      const insert = insertInto(table);
      for (const row of rows) insert(row);
    },
    async end({ sequences }) {
      const database = opened();
      database.exec('DELETE FROM sqlite_sequence');
      const continueAt = database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
      for (const [name, last] of Object.entries(sequences)) continueAt.run(name, last);
      database.exec(
        'COMMIT; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON',
      );
      migrate(database, clock());
      return databaseOn(database);
    },
    async finish() {
      opened().close();
      connection = undefined;
      const file = openSync(path, 'r+');
      fsyncSync(file);
      closeSync(file);
      renameSync(path, target);
      syncFolder(dataDir);
    },
    async close() {
      connection?.close();
      lock.release();
    },
  };
}

function requireEmpty(dataDir: string): void {
  const path = databasePathIn(dataDir);
  const found = ['', '-wal', '-shm'].map((end) => `${path}${end}`).filter((it) => existsSync(it));
  if (found.length === 0) return;
  throw new NotPossible(
    `there is a store in ${dataDir}, and nothing is written over it: move ${found.join(', ')} to another folder, leave the other files where they are, and run this again`,
  );
}

function tablesIn(connection: DatabaseSync): string[] {
  return connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
}
