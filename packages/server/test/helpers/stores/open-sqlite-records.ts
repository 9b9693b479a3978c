import type { DatabaseSync } from 'node:sqlite';
import { createAlarmCatalogue } from '../../../src/store/shared/alarms/alarms.ts';
import { databaseOn } from '../../../src/store/sqlite/database.ts';
import { openDatabase } from '../../../src/store/sqlite/open-database.ts';
import { openSqliteStore, openSqliteWorkStore } from '../../../src/store/sqlite/open-store.ts';
import { createReadMetrics } from '../../../src/store/sqlite/read-metrics.ts';
import type { OpenRecords, RecordsNode, Row } from '../../contract/records/under-test.ts';
import { macOfRow, withTestMacs } from './row-macs.ts';
import { makeStoreFolder } from './store-folder.ts';

export const openSqliteRecords: OpenRecords = async () => {
  const folder = await makeStoreFolder();
  const one = openNode(folder.path);
  /** Few cases need it. */
  let two: ReturnType<typeof openNode> | undefined;
  const database = openDatabase(one.databasePath, 'write');
  database.exec('PRAGMA synchronous = OFF');
  return {
    node: one.node,
    get other() {
      two ??= openNode(folder.path);
      return two.node;
    },
    async insert(table, row) {
      insertInto(database, table, { ...macOfRow(table, row), ...row });
    },
    async insertOften(table, row, times) {
      database.exec('BEGIN IMMEDIATE');
      for (let n = 0; n < times; n++) insertInto(database, table, row);
      database.exec('COMMIT');
    },
    async update(table, key, changes) {
      const set = Object.keys(changes).map((column) => `${column} = ?`);
      const where = Object.keys(key).map((column) => `${column} = ?`);
      database
        .prepare(`UPDATE ${table} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`)
        .run(...Object.values(changes), ...Object.values(key));
    },
    async removeRow(table, key) {
      const where = Object.keys(key).map((column) => `${column} = ?`);
      database
        .prepare(`DELETE FROM ${table} WHERE ${where.join(' AND ')}`)
        .run(...Object.values(key));
    },
    newAuditRows: 'audit_rows',
    remove: async (table) => database.exec(`DELETE FROM ${table}`),
    rows: async (table) => database.prepare(`SELECT * FROM ${table}`).all() as Row[],
    async close() {
      database.close();
      await one.close();
      await two?.close();
      folder.remove();
    },
  };
};

function openNode(folder: string) {
  const store = withTestMacs(openSqliteStore(folder, Date.now));
  const { databasePath, reader } = store;
  const work = withTestMacs(openSqliteWorkStore(databasePath));
  const node: RecordsNode = {
    ...store,
    ...work,
    pauses: store.pauses,
    events: { ...store.events, ...work.events },
    alarms: createAlarmCatalogue(databaseOn(reader)),
    readMetrics: createReadMetrics(reader, databasePath),
  };
  return {
    node,
    databasePath,
    async close() {
      await work.close();
      await store.close();
    },
  };
}

function insertInto(database: DatabaseSync, table: string, row: Row): void {
  const columns = Object.keys(row);
  const insert = database.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  insert.setReadBigInts(true);
  insert.run(...Object.values(row));
}
