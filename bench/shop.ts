// A PostgreSQL target: customers with orders, of whom the first so many are to be erased.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const ORDERS_EACH = 2;
/** Customers without a request: they must all be there at the end. */
const OTHERS = 10_000;

export interface Shop {
  readonly url: string;
  /** Throws unless exactly these people are gone. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export function emailOf(person: number): string {
  return `person${person}@example.com`;
}

export async function makeDatabase(server: string, name: string): Promise<string> {
  const client = new pg.Client(`${server}postgres`);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`).finally(() => client.end());
  return `${server}${name}`;
}

export async function makeShop(server: string, name: string, toErase: number): Promise<Shop> {
  const url = await makeDatabase(server, name);
  const customers = toErase + OTHERS;
  const client = new pg.Client(url);
  await client.connect();
  const statements = [
    'CREATE TABLE customers (id int PRIMARY KEY, account text NOT NULL, email text, name text)',
    'CREATE TABLE orders (id int PRIMARY KEY, customer_id int NOT NULL REFERENCES customers, note text)',
    `INSERT INTO customers SELECT n, 'acme', 'person' || n || '@example.com', 'Name ' || n
     FROM generate_series(0, ${customers - 1}) n`,
    `INSERT INTO orders SELECT n, n / ${ORDERS_EACH}, 'order ' || n
     FROM generate_series(0, ${customers * ORDERS_EACH - 1}) n`,
    'CREATE INDEX ON customers (account, lower(email COLLATE "C"))',
    'CREATE INDEX ON orders (customer_id)',
    'VACUUM ANALYZE',
  ];
  for (const statement of statements) await client.query(statement);
  return {
    url,
    async check() {
      const { rows } = await client.query(
        `SELECT (SELECT count(*)::int FROM customers) AS customers,
                (SELECT count(*)::int FROM customers WHERE id < $1) AS asked,
                (SELECT count(*)::int FROM orders) AS orders`,
        [toErase],
      );
      const [left] = rows;
      const isRight =
        left?.customers === OTHERS && left.asked === 0 && left.orders === OTHERS * ORDERS_EACH;
      if (!isRight) throw new Error(`the shop is not as it should be: ${JSON.stringify(left)}`);
    },
    close: () => client.end(),
  };
}

export function writeShopConfiguration(folder: string, url: string): string {
  const path = join(folder, 'unwrite.config.yaml');
  writeFileSync(
    path,
    `targets:
  shop:
    connector: postgres
    url: ${url}
    tenant_column: account
    tables:
      - table: orders
        via: { customers: { customer_id: id } }
      - table: customers
        match: { email: email }
`,
  );
  return path;
}
