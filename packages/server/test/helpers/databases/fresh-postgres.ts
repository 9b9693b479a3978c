// A database of a test file's own on the run's PostgreSQL server:
// describe.skipIf(!(await hasPostgres()))('…', …)
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { borrowServer } from './borrow-server.ts';

export interface FreshDatabase {
  readonly url: string;
  /** Several statements are allowed where there are no values; the rows are the last one's. */
  query(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function hasPostgres(): Promise<boolean> {
  return (await borrowServer('postgres')) !== undefined;
}

export async function freshPostgres(): Promise<FreshDatabase> {
  const server = await borrowServer('postgres');
  if (server === undefined) throw new Error('there is no PostgreSQL; skip with hasPostgres()');
  const name = `unwrite_${randomBytes(6).toString('hex')}`;
  await runOn(withDatabase(server, 'postgres'), `CREATE DATABASE ${name}`);
  const url = withDatabase(server, name);
  const client = await connect(url);
  return {
    url,
    query: (sql, values) => rowsOf(client, sql, values),
    async close() {
      await client.end();
      await runOn(withDatabase(server, 'postgres'), `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

async function runOn(url: string, sql: string): Promise<void> {
  const client = await connect(url);
  await client.query(sql).finally(() => client.end());
}

async function rowsOf(client: pg.Client, sql: string, values: readonly unknown[] = []) {
  const result: unknown =
    values.length > 0 ? await client.query(sql, [...values]) : await client.query(sql);
  const last = Array.isArray(result) ? result.at(-1) : result;
  return (last as pg.QueryResult<Record<string, unknown>>).rows;
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
