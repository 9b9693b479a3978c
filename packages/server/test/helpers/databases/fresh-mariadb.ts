// A database of a test file's own on the run's MariaDB (or MySQL) server:
// describe.skipIf(!(await hasMariadb()))('…', …)
import { randomBytes } from 'node:crypto';
import { type Connection, createConnection } from 'mysql2/promise';
import { borrowServer } from './borrow-server.ts';
import type { FreshDatabase } from './fresh-postgres.ts';

export async function hasMariadb(): Promise<boolean> {
  return (await borrowServer('mariadb')) !== undefined;
}

/** Whether the server that stands in for MariaDB (UNWRITE_TEST_MYSQL_URL) is a MySQL. */
export async function hasMysql(): Promise<boolean> {
  const server = await borrowServer('mariadb');
  if (server === undefined) return false;
  const connection = await createConnection({ uri: server });
  const [row] = await rowsOf(connection, 'SELECT version() AS version');
  await connection.end();
  return !String(row?.version).includes('MariaDB');
}

export async function freshMariadb(): Promise<FreshDatabase> {
  const server = await borrowServer('mariadb');
  if (server === undefined) throw new Error('there is no MariaDB; skip with hasMariadb()');
  const name = `unwrite_${randomBytes(6).toString('hex')}`;
  const address = new URL(server);
  address.pathname = '/';
  const connection = await createConnection({ uri: address.href, multipleStatements: true });
  await connection.query(`CREATE DATABASE ${name}`);
  await connection.query(`USE ${name}`);
  address.pathname = `/${name}`;
  return {
    url: address.href,
    query: (sql, values) => rowsOf(connection, sql, values),
    async close() {
      await connection.query(`DROP DATABASE ${name}`);
      await connection.end();
    },
  };
}

async function rowsOf(connection: Connection, sql: string, values: readonly unknown[] = []) {
  const [result, fields] = await connection.query(sql, [...values]);
  // One entry a statement where there were several; a statement without rows has no fields.
  const described: readonly unknown[] = fields ?? [];
  const isSeveral = described.some((each) => each === undefined || Array.isArray(each));
  const last: unknown = isSeveral && Array.isArray(result) ? result.at(-1) : result;
  return Array.isArray(last) ? (last as Record<string, unknown>[]) : [];
}
