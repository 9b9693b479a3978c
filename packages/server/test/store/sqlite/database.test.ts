import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../src/store/sql.ts';
import { databaseOn } from '../../../src/store/sqlite/database.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';

function open() {
  const connection = new DatabaseSync(':memory:');
  connection.exec('CREATE TABLE things (no INTEGER PRIMARY KEY) STRICT');
  const database = databaseOn(connection);
  const add = (sql: { run: typeof database.run }, no: number) =>
    sql.run('INSERT INTO @things (no) VALUES (:no)', { no });
  const numbers = async () => {
    const rows = await database.all<{ no: number }>('SELECT no FROM @things ORDER BY no');
    return rows.map(({ no }) => no);
  };
  return { connection, database, add, numbers };
}

describe('a transaction on a SQLite connection', () => {
  it('owns the connection until it ends: other statements run after it', async () => {
    const { database, add, numbers } = open();
    const failed = database.transaction(async (sql) => {
      await add(sql, 1);
      await setImmediate();
      throw new Error('no');
    });
    const beside = add(database, 2);
    await expect(failed).rejects.toThrow('no');
    await beside;
    expect(await numbers()).toEqual([2]);
  });

  it('comes after the one before it', async () => {
    const { database, add, numbers } = open();
    const read: number[] = [];
    const one = async (no: number) =>
      database.transaction(async (sql) => {
        const row = await sql.get<{ count: number }>('SELECT count(*) AS count FROM @things');
        await setImmediate();
        read.push(row?.count ?? -1);
        await add(sql, no);
      });
    await Promise.all([one(1), one(2), one(3)]);
    expect(read).toEqual([0, 1, 2]);
    expect(await numbers()).toEqual([1, 2, 3]);
  });

  it('is waited for by synchronous work', async () => {
    const { connection, database, add, numbers } = open();
    const slow = database.transaction(async (sql) => {
      await add(sql, 1);
      await setImmediate();
    });
    const alone = database.alone(() => connection.exec('INSERT INTO things VALUES (2)'));
    await Promise.all([slow, alone]);
    expect(await numbers()).toEqual([1, 2]);
  });

  it('is waited for by those of other connections to the same file', async () => {
    const folder = makeTemporaryFolder();
    const connections = [1, 2].map(() => new DatabaseSync(join(folder.path, 'store.db')));
    connections[0]?.exec('PRAGMA journal_mode = WAL; CREATE TABLE things (no INTEGER PRIMARY KEY)');
    const add = (connection: DatabaseSync, no: number) =>
      databaseOn(connection).transaction(async (sql) => {
        await sql.run('INSERT INTO @things (no) VALUES (:no)', { no });
        await setImmediate();
      });
    await Promise.all(connections.map(add));
    expect(connections[0]?.prepare('SELECT count(*) AS count FROM things').get()).toEqual({
      count: 2,
    });
    for (const connection of connections) connection.close();
    folder.remove();
  });

  it('is undone by a failure, and the next one begins afresh', async () => {
    const { database, add, numbers } = open();
    const twice = database.transaction(async (sql) => {
      await add(sql, 1);
      await add(sql, 1);
    });
    await expect(twice).rejects.toThrow('UNIQUE');
    await database.transaction((sql) => add(sql, 2));
    expect(await numbers()).toEqual([2]);
  });
});

describe('values of a SQLite statement', () => {
  it('may be lists of numbers, texts and bytes', async () => {
    const { database, add } = open();
    for (const no of [1, 2, 3]) await add(database, no);
    const nos = [1, 3];
    const text = 'SELECT count(*) AS count FROM @things WHERE no = ANY(:nos::bigint[])';
    expect(await database.get(text, { nos })).toEqual({ count: 2 });
    await expect(database.get(text, { no: 1 })).rejects.toThrow('no value for :nos');
    const bytes = [Buffer.from('ff00', 'hex')];
    const found = 'SELECT 1 AS found WHERE :one = ANY(:bytes::bytea[])';
    expect(await database.get(found, { one: bytes[0], bytes })).toEqual({ found: 1 });
  });
});

describe('a SQLite statement for many rows', () => {
  const ADD = `INSERT INTO @things (no)
    SELECT no FROM json_to_recordset(:rows::json) AS it (no bigint)`;

  it('writes all of them or none, and says how many', async () => {
    const { database, numbers } = open();
    expect(await database.run(ADD, { rows: rowsOf([{ no: 1 }, { no: 2 }]) })).toBe(2);
    const twice = database.run(ADD, { rows: rowsOf([{ no: 3 }, { no: 1 }]) });
    await expect(twice).rejects.toThrow('UNIQUE');
    expect(await database.run(ADD, { rows: rowsOf([]) })).toBe(0);
    expect(await numbers()).toEqual([1, 2]);
  });

  it('answers what each of them returned', async () => {
    const { database, add } = open();
    await add(database, 2);
    const text = `${ADD} WHERE true ON CONFLICT DO NOTHING RETURNING no`;
    const rows = rowsOf([{ no: 1 }, { no: 2 }, { no: 3 }]);
    expect(await database.all(text, { rows })).toEqual([{ no: 1 }, { no: 3 }]);
  });
});
