import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate, migrationStatus, readMigrations } from '../../../src/store/sqlite/migrate.ts';
import { openDatabase } from '../../../src/store/sqlite/open-database.ts';
import { runHere } from '../../cli/run-here.ts';
import { freePort } from '../../helpers/free-port.ts';
import { runBeside } from '../../helpers/run-beside.ts';
import { spawnServer, untilReady } from '../../helpers/servers/server-process.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';

const ALL = readMigrations().map(({ name }) => name);
const NEXT = {
  number: ALL.length + 1,
  name: '0002-invented',
  sql: 'ALTER TABLE requests ADD COLUMN invented TEXT',
  digest: 'x',
  worksFrom: ALL.length,
};

let folder: TemporaryFolder;
let database: DatabaseSync;

beforeEach(() => {
  folder = makeTemporaryFolder();
  database = openDatabase(`${folder.path}/unwrite.db`, 'write');
});
afterEach(() => {
  database.close();
  folder.remove();
});

function tables(): unknown[] {
  return database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
}

describe('the migrations', () => {
  it('are numbered one after the other, and each number once', () => {
    expect(readMigrations().map(({ number }) => number)).toEqual(ALL.map((_, index) => index + 1));
  });

  it('bring a fresh store up to date', () => {
    expect(migrationStatus(database)).toEqual({ applied: [], waiting: ALL, newer: [] });
    expect(migrate(database, 1000)).toEqual(ALL);
    expect(migrationStatus(database)).toEqual({ applied: ALL, waiting: [], newer: [] });
    const times = database.prepare('SELECT DISTINCT applied_time AS time FROM schema_migrations');
    expect(times.all()).toEqual([{ time: 1000 }]);
  });

  it('do nothing the second time', () => {
    migrate(database, 1000);
    const before = tables();
    expect(migrate(database, 2000)).toEqual([]);
    expect(tables()).toEqual(before);
  });

  it('are applied to a store that has the earlier ones, and its rows stay', () => {
    migrate(database, 1000);
    database.exec("INSERT INTO controllers (controller_id, created_time) VALUES ('acme', 5)");
    const all = [...readMigrations(), NEXT];
    expect(migrationStatus(database, all)).toEqual({
      applied: ALL,
      waiting: [NEXT.name],
      newer: [],
    });
    expect(migrate(database, 2000, all)).toEqual([NEXT.name]);
    expect(migrationStatus(database, all).waiting).toEqual([]);
    expect(database.prepare('SELECT invented FROM requests').all()).toEqual([]);
    expect(database.prepare('SELECT controller_id FROM controllers').all()).toHaveLength(1);
  });

  it('leave a store at the last one that succeeded', () => {
    migrate(database, 1000);
    const broken = { ...NEXT, sql: 'CREATE TABLE half_way (a INTEGER); CREATE TABLE requests (a)' };
    const before = tables();
    expect(() => migrate(database, 2000, [...readMigrations(), broken])).toThrow(/already exists/);
    expect(tables()).toEqual(before);
    expect(migrationStatus(database).waiting).toEqual([]);
  });

  it('leave alone what a newer version has added, and this one can work with', async () => {
    migrate(database, 1000, [...readMigrations(), NEXT]);
    expect(migrate(database, 2000)).toEqual([]);
    expect(migrationStatus(database)).toEqual({ applied: ALL, waiting: [], newer: [NEXT.name] });
  });

  it('refuse a store from which a newer version has removed something, and leave it as it is', async () => {
    migrate(database, 1000);
    database.exec(
      "INSERT INTO schema_migrations VALUES (9999, '9999-from-the-future', 'x', 9998, 1)",
    );
    expect(() => migrate(database, 2000)).toThrow(
      'this version of Unwrite is too old for the store, which has migration 9999-from-the-future',
    );
    const env = { ...process.env, UNWRITE_DATA_DIR: folder.path };
    const result = await runHere(['migrate', '--yes'], { env });
    expect(result.exitCode).toBe(78);
    expect(result.stderr).toContain('9999-from-the-future');
  });

  it('refuse a store whose applied migration has another content by now', () => {
    migrate(database, 1000);
    database.exec("UPDATE schema_migrations SET digest = 'x' WHERE number = 1");
    expect(() => migrate(database, 2000)).toThrow(`migration ${ALL[0]} was changed after it was`);
  });

  it('leave nothing behind when one fails half-way', () => {
    database.exec('CREATE TABLE audit_rows (in_the_way INTEGER)');
    expect(() => migrate(database, 1000)).toThrow(/audit_rows already exists/);
    expect(tables()).toEqual([{ name: 'audit_rows' }, { name: 'schema_migrations' }]);
    expect(migrationStatus(database).applied).toEqual([]);
  });

  it('are applied once when several processes start at once', async () => {
    const dataDir = `${folder.path}/fresh`;
    const results = await Promise.all(
      Array.from({ length: 3 }, () => runBeside(['migrate', '--yes', '--json'], { dataDir })),
    );
    expect(results.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(
      Array(3).fill([0, '']),
    );
    const applied = results.flatMap(({ stdout }) => JSON.parse(stdout).migrated);
    expect(applied).toEqual(ALL);
  });

  it('are applied by a server that starts on a new store, or by a command beside it', async () => {
    const options = { dataDir: `${folder.path}/new`, port: await freePort() };
    const server = spawnServer(options);
    try {
      const create = ['client', 'create', '--controller', 'acme'];
      const results = await Promise.all([1, 2].map(() => runBeside(create, options)));
      expect(results.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(
        Array(2).fill([0, '']),
      );
      await untilReady(server);
    } finally {
      await server.kill('SIGKILL');
    }
  });
});

describe('the database file', () => {
  it.skipIf(process.platform === 'win32')('is readable by its owner alone', async () => {
    const { statSync } = await import('node:fs');
    expect(statSync(`${folder.path}/unwrite.db`).mode & 0o777).toBe(0o600);
  });

  it('is opened with everything that durability and shredding need', () => {
    const value = (name: string) =>
      Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(value('journal_mode')).toBe('wal');
    expect(value('synchronous')).toBe(2);
    expect(value('secure_delete')).toBe(1);
    expect(value('foreign_keys')).toBe(1);
  });

  it('cannot be written by a connection that was opened to read', () => {
    migrate(database, 1000);
    const reader: DatabaseSync = openDatabase(`${folder.path}/unwrite.db`, 'read');
    expect(() => reader.exec('DELETE FROM requests')).toThrow(/readonly/);
    reader.close();
  });
});
