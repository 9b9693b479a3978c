// Customers of two controllers, each person known to both under the same email, and their orders.
// Everything is computed from numbers, so that what should be left can be computed too.
import { createHash } from 'node:crypto';
import type { DatabaseKind, ShopDatabase } from './shop-database.ts';

export const CONTROLLERS = ['acme', 'beta'] as const;
export type ShopController = (typeof CONTROLLERS)[number];

export interface ShopSize {
  /** Of both controllers together. */
  readonly customers: number;
  readonly ordersEach: number;
  /** So many of the first customers have more orders than the cap allows. */
  readonly heavy: number;
  readonly ordersOfTheHeavy: number;
}

const ROWS_PER_INSERT = 1000;

export function controllerOf(customer: number): ShopController {
  return customer % 2 === 0 ? 'acme' : 'beta';
}

/** Two customers, one of each controller, share a person. */
export function emailOf(customer: number): string {
  return `person${Math.floor(customer / 2)}@example.com`;
}

export function externalIdOf(customer: number): string {
  return `C-${customer}`;
}

function ordersOf(customer: number, size: ShopSize): number {
  return customer < size.heavy ? size.ordersOfTheHeavy : size.ordersEach;
}

function* customerRows({ customers }: ShopSize): Generator<[number, string]> {
  for (let id = 0; id < customers; id++) {
    const [account, email, externalId] = [controllerOf(id), emailOf(id), externalIdOf(id)];
    yield [id, `${id}, '${account}', '${email}', '${externalId}', 'Name ${id}'`];
  }
}

function* orderRows(size: ShopSize): Generator<[number, string]> {
  let id = 0;
  for (let customer = 0; customer < size.customers; customer++) {
    for (let n = 0; n < ordersOf(customer, size); n++) {
      yield [customer, `${id++}, ${customer}, 'order ${n}'`];
    }
  }
}

export async function fillShop(kind: DatabaseKind, shop: ShopDatabase, size: ShopSize) {
  await shop.query(`CREATE TABLE customers (
    id INTEGER PRIMARY KEY, account VARCHAR(20) NOT NULL, email ${kind.emailType},
    external_id VARCHAR(40) NOT NULL, name VARCHAR(80))`);
  await shop.query(`CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, note VARCHAR(40),
    FOREIGN KEY (customer_id) REFERENCES customers (id))`);
  await insert(shop, 'customers', customerRows(size));
  await insert(shop, 'orders', orderRows(size));
  await shop.query('CREATE INDEX customers_email ON customers (account, email)');
  await shop.query('CREATE INDEX customers_external ON customers (account, external_id)');
  await shop.query('CREATE INDEX orders_customer ON orders (customer_id)');
}

async function insert(shop: ShopDatabase, table: string, rows: Iterable<[number, string]>) {
  let batch: string[] = [];
  const flush = async () => {
    if (batch.length > 0) await shop.query(`INSERT INTO ${table} VALUES ${batch.join(',')}`);
    batch = [];
  };
  for (const [, row] of rows) {
    if (batch.push(`(${row})`) === ROWS_PER_INSERT) await flush();
  }
  await flush();
}

export interface Checksum {
  readonly rows: number;
  readonly digest: string;
}

export interface ShopChecksums {
  readonly customers: Checksum;
  readonly orders: Checksum;
}

/** What must be left when these customers are gone. */
export function expectedChecksums(size: ShopSize, gone: ReadonlySet<number>): ShopChecksums {
  return {
    customers: checksumOf(left(customerRows(size), gone)),
    orders: checksumOf(left(orderRows(size), gone)),
  };
}

function* left(rows: Iterable<[number, string]>, gone: ReadonlySet<number>): Generator<string> {
  for (const [customer, row] of rows) if (!gone.has(customer)) yield row;
}

/** Every row that is there, in order. */
export async function readChecksums(shop: ShopDatabase): Promise<ShopChecksums> {
  return {
    customers: await readChecksum(
      shop,
      'customers',
      ['id'],
      ['account', 'email', 'external_id', 'name'],
    ),
    orders: await readChecksum(shop, 'orders', ['id', 'customer_id'], ['note']),
  };
}

const PAGE = 50_000;

async function readChecksum(
  shop: ShopDatabase,
  table: string,
  numbers: readonly string[],
  texts: readonly string[],
): Promise<Checksum> {
  const rows: string[] = [];
  let after = -1;
  for (;;) {
    const page = await shop.query(
      `SELECT * FROM ${table} WHERE id > ${after} ORDER BY id LIMIT ${PAGE}`,
    );
    for (const row of page) {
      const values = [
        ...numbers.map((name) => row[name]),
        ...texts.map((name) => `'${row[name]}'`),
      ];
      rows.push(values.join(', '));
      after = Number(row.id);
    }
    if (page.length < PAGE) return checksumOf(rows);
  }
}

function checksumOf(rows: Iterable<string>): Checksum {
  const hash = createHash('sha256');
  let count = 0;
  for (const row of rows) {
    hash.update(`${row}\n`);
    count++;
  }
  return { rows: count, digest: hash.digest('hex') };
}

export const TABLES = `
      - table: orders
        via: { customers: { customer_id: id } }
      - table: customers
        match: { email: email, controller_customer_id: external_id }`;

/** The shop as a target in YAML; `more` are lines of its own, indented by four. */
export function shopTarget(shop: Pick<ShopDatabase, 'address'>, more = ''): string {
  return `  shop:\n    ${shop.address}\n    tenant_column: account\n    ${more}\n    tables:${TABLES}\n`;
}
