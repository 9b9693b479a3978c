// On a server of its own: whether a server can be written is said for all of its databases.
import { createConnection } from 'mysql2/promise';
import { describe, expect, it } from 'vitest';
import { hasMariadb } from '../../helpers/databases/fresh-mariadb.ts';
import { startGuarded } from '../../helpers/databases/guarded-server.ts';
import { makeTarget, table, tables, written } from './checked-target.ts';

describe.skipIf(!(await hasMariadb()))('the check of a MySQL or MariaDB target', () => {
  it('refuses a server that cannot be written, and continues with what can be read', async () => {
    const server = await startGuarded('mariadb');
    const target = await makeTarget('mysql');
    const connection = await createConnection({ uri: server.url, multipleStatements: true });
    try {
      await connection.query(`
        CREATE DATABASE shop; USE shop;
        CREATE TABLE customers (id int PRIMARY KEY, email varchar(190));
        SET GLOBAL read_only = 1`);
      const url = new URL(server.url);
      url.pathname = '/shop';
      const lines = await target.check({ work: tables([table('customers')]) }, url.href);
      expect(written(lines, 'problem')).toContainEqual(
        expect.stringMatching(/^problem server: is read-only: a replica, or locked;/),
      );
      expect(written(lines)).toContainEqual(expect.stringMatching(/^ok customers: /));
    } finally {
      await connection.end();
      await target.close();
      await server.close();
    }
  });
});
