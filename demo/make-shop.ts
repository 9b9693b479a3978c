// A shop's database as one finds them: customers, their orders, what was in them, and invoices that
// tax law wants kept.
import { DatabaseSync } from 'node:sqlite';

export interface ShopSize {
  readonly customers: number;
  /** One customer with so many orders that the limit of rows holds the task. */
  readonly ordersOfTheBusiest: number;
}

export const BUSIEST = 1;
const ORDERS_EACH = 3;

export function emailOf(customer: number): string {
  return `customer${customer}@example.com`;
}

export function makeShop(path: string, { customers, ordersOfTheBusiest }: ShopSize): void {
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE customers (
      id INTEGER PRIMARY KEY, account TEXT NOT NULL, email TEXT, name TEXT, phone TEXT
    );
    CREATE INDEX customers_email ON customers (account, email COLLATE NOCASE);
    CREATE TABLE orders (
      id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers, placed TEXT NOT NULL
    );
    CREATE INDEX orders_customer ON orders (customer_id);
    CREATE TABLE order_items (
      order_id INTEGER NOT NULL REFERENCES orders, line INTEGER NOT NULL, article TEXT NOT NULL,
      PRIMARY KEY (order_id, line)
    );
    CREATE TABLE invoices (id INTEGER PRIMARY KEY, customer_no INTEGER NOT NULL, cents INTEGER NOT NULL);
    CREATE INDEX invoices_customer ON invoices (customer_no);
    BEGIN;
  `);
  const customer = database.prepare('INSERT INTO customers VALUES (?, ?, ?, ?, ?)');
  const order = database.prepare('INSERT INTO orders (customer_id, placed) VALUES (?, ?)');
  const item = database.prepare('INSERT INTO order_items VALUES (?, ?, ?)');
  const invoice = database.prepare('INSERT INTO invoices (customer_no, cents) VALUES (?, ?)');
  for (let id = 1; id <= customers; id++) {
    customer.run(id, 'demo', emailOf(id), `Customer ${id}`, `+49 30 ${100_000 + id}`);
    const orders = id === BUSIEST ? ordersOfTheBusiest : ORDERS_EACH;
    for (let n = 0; n < orders; n++) {
      const { lastInsertRowid } = order.run(id, '2026-03-14');
      item.run(lastInsertRowid, 1, 'tea');
      item.run(lastInsertRowid, 2, 'cup');
    }
    invoice.run(id, 1999);
  }
  database.exec('COMMIT');
  database.close();
}

export type RowCounts = Readonly<Record<string, number>>;

export function countRows(path: string): RowCounts {
  const database = new DatabaseSync(path, { readOnly: true });
  const counts = Object.fromEntries(
    ['customers', 'orders', 'order_items', 'invoices'].map((table) => [
      table,
      Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n),
    ]),
  );
  database.close();
  return counts;
}

/** Asked of the shop itself, without Unwrite. */
export function stillThere(path: string, customers: readonly number[]): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const select = database.prepare('SELECT count(*) AS n FROM customers WHERE email = ?');
  const found = customers.reduce((sum, id) => sum + Number(select.get(emailOf(id))?.n), 0);
  database.close();
  return found;
}

export const SHOP_CONFIG = `# Where the shop keeps people, in the order of erasing.
targets:
  shop:
    connector: sqlite
    file: ./shop.db
    tenant_column: account
    tables:
      - table: order_items
        via: { orders: { order_id: id } }
      - table: orders
        via: { customers: { customer_id: id } }
      - table: invoices
        via: { customers: { customer_no: id } }
        action: { retain: "GDPR 17(3)(b): tax law, 10 years" }
      - table: customers
        match: { email: email }
    max_rows_per_subject: 1000
`;
