// A tenant that the database takes for this one, and that is spelt differently: whose the row is cannot be known.
import { describe, expect } from 'vitest';
import { held, itOn, tables, withTarget } from '../misled-target.ts';

const ERASED = { outcomes: [{ outcome: 'erased' }] };

describe.each([
  ['SQLite', 'VARCHAR(60) COLLATE NOCASE', ''],
  ['PostgreSQL', 'citext', 'CREATE EXTENSION IF NOT EXISTS citext;'],
  ['MariaDB', 'VARCHAR(60) COLLATE utf8mb4_general_ci', ''],
] as const)('a tenant in another case on %s', (kind, type, before) => {
  const PEOPLE = `${before}
    CREATE TABLE people (id INTEGER PRIMARY KEY, account ${type}, email VARCHAR(60), no INTEGER);
    CREATE UNIQUE INDEX people_no ON people (account, no);`;

  itOn(kind)('holds a request that matches the row, until the row says whose it is', () =>
    withTarget(
      kind,
      `${PEOPLE} INSERT INTO people VALUES (1, 'ACME', 'jane@x.org', 1), (2, 'globex', 'jane@x.org', 2)`,
      ['tenant_column: account', tables('{ table: people, match: { email: email } }')],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        expect(await shop.run()).toMatchObject(held('tenant_mismatch'));
        expect(await shop.count('people')).toBe(2);
        await shop.query("UPDATE people SET account = 'acme' WHERE id = 1");
        await shop.release(request);
        expect(await shop.run()).toMatchObject(ERASED);
        expect(await shop.count('people')).toBe(1);
      },
    ),
  );

  itOn(kind)('leaves the row alone if another controller has this value', () =>
    withTarget(
      kind,
      `${PEOPLE} INSERT INTO people VALUES (1, 'ACME', 'jane@x.org', 1), (2, 'acme', 'jane@x.org', 2)`,
      [
        'tenant_column: account',
        'tenants: { big: ACME }',
        tables('{ table: people, match: { email: email } }'),
      ],
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(ERASED);
        expect(await shop.count('people')).toBe(1);
      },
    ),
  );

  itOn(kind)('holds a request if a row refers to the person by this tenant and a number', () =>
    withTarget(
      kind,
      `${PEOPLE}
      CREATE TABLE orders (id INTEGER PRIMARY KEY, account ${type}, person_no INTEGER);
      INSERT INTO people VALUES (1, 'acme', 'jane@x.org', 1);
      INSERT INTO orders VALUES (1, 'ACME', 1)`,
      [
        'tenant_column: account',
        tables(
          '{ table: orders, via: { people: { person_no: no } } }',
          '{ table: people, match: { email: email } }',
        ),
      ],
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'held' }] });
        expect(await shop.count('orders')).toBe(1);
      },
    ),
  );
});
