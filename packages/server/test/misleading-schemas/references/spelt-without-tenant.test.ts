// A row without a tenant, or of another one, that refers to a row of the person by a column with another collation: the key is
// unique by itself all the same.
import { describe, expect } from 'vitest';
import { held, itOn, tables, withTarget } from '../misled-target.ts';

const PLAN = [
  'tenant_column: account',
  tables(
    '{ table: loans, via: { orders: { order_id: id } } }',
    '{ table: orders, via: { people: { group_no: group_no } } }',
    '{ table: people, match: { email: email } }',
  ),
];

describe.each([
  ['SQLite', 'VARCHAR(60)', 'VARCHAR(60) COLLATE NOCASE'],
  ['PostgreSQL', 'VARCHAR(60)', 'VARCHAR(60)'],
  ['MariaDB', 'VARCHAR(60) COLLATE utf8mb4_bin', 'VARCHAR(60) COLLATE utf8mb4_general_ci'],
] as const)('a loan on %s', (kind, parent, child) => {
  itOn(kind).for(['NULL', "'globex'"])('of the account %s is held', (account) =>
    withTarget(
      kind,
      `CREATE TABLE people (id INTEGER PRIMARY KEY, account VARCHAR(60), email VARCHAR(60), group_no INTEGER);
      CREATE TABLE orders (id ${parent} PRIMARY KEY, group_no INTEGER);
      CREATE TABLE loans (id INTEGER PRIMARY KEY, account VARCHAR(60), order_id ${child});
      INSERT INTO people VALUES (1, 'acme', 'jane@x.org', 10);
      INSERT INTO orders VALUES ('first', 10);
      INSERT INTO loans VALUES (3, ${account}, 'first')`,
      PLAN,
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        await shop.request();
        expect(await shop.run()).toMatchObject(held('tenant_mismatch'));
        expect(await shop.count('orders')).toBe(1);
      },
    ),
  );
});
