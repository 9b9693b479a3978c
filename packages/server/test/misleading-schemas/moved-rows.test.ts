// Columns that would change in rows that stay, and by which the rows are told apart or kept from being equal:
// the check refuses them, with the reason.
import { describe, expect } from 'vitest';
import { Identity } from '../../src/domain/request/identity.ts';
import {
  describeOnEach,
  held,
  itOn,
  type Kind,
  refused,
  tables,
  withTarget,
} from './misled-target.ts';

const CUSTOMERS = '{ table: customers, match: { email: email } }';
const SCHEMA = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100), code INTEGER UNIQUE);
  INSERT INTO customers VALUES (1, 'jane@x.org', 11), (2, 'bob@x.org', 12)`;

async function isRefused(
  kind: Kind,
  schema: string,
  settings: readonly string[],
  text: string,
): Promise<void> {
  await withTarget(kind, schema, settings, async (shop) => {
    expect(await shop.problems()).toContainEqual(expect.stringContaining(text));
    await shop.request();
    expect(await shop.run()).toMatchObject(refused(text));
  });
}

describeOnEach('on %s, a column of "where" that would change in rows that stay', (kind) => {
  const notes = (action: string) => `${SCHEMA};
    CREATE TABLE notes (id INTEGER PRIMARY KEY, customer_id INTEGER, email VARCHAR(100),
      FOREIGN KEY (customer_id) REFERENCES customers (id)${action});
    INSERT INTO notes VALUES (1, 1, 'bob@x.org'), (2, NULL, 'bob@x.org'), (3, 1, 'jane@x.org')`;
  const ENTRIES = [
    '{ table: notes, where: { customer_id: null }, match: { email: email } }',
    '{ table: notes, where: { customer_id: { not: null } }, via: { customers: { customer_id: id } }, action: { retain: tax } }',
  ];

  itOn(kind)('is refused under detach', () =>
    isRefused(
      kind,
      notes(''),
      ['tenancy: none', tables(...ENTRIES, CUSTOMERS), 'detach: [notes.customer_id]'],
      '"customer_id" tells the rows of its entries apart (where), and would change in rows that stay (detach: [notes.customer_id])',
    ),
  );

  itOn(kind)('is refused where a foreign key sets NULL and the table is under cascades', () =>
    isRefused(
      kind,
      notes(' ON DELETE SET NULL'),
      [
        'tenancy: none',
        tables(
          '{ table: notes, where: { customer_id: { not: null } }, match: { email: email }, action: { retain: tax } }',
          CUSTOMERS,
        ),
        'cascades: [notes]',
      ],
      '"customer_id" tells the rows of its entries apart (where)',
    ),
  );

  itOn(kind)('is refused where a foreign key follows what is overwritten', () =>
    isRefused(
      kind,
      `${SCHEMA};
      CREATE TABLE notes (id INTEGER PRIMARY KEY, code INTEGER, email VARCHAR(100),
        FOREIGN KEY (code) REFERENCES customers (code) ON UPDATE SET NULL)`,
      [
        'tenancy: none',
        tables(
          '{ table: notes, where: { code: null }, match: { email: email } }',
          '{ table: customers, match: { email: email }, action: { overwrite: { email: null, code: null } } }',
        ),
        'cascades: [notes]',
      ],
      'a foreign key with ON UPDATE, for which notes is listed under "cascades"',
    ),
  );
});

describeOnEach('on %s, the tenant column', (kind) => {
  const orders = (action: string) => `
    CREATE TABLE customers (account INTEGER NOT NULL, id INTEGER NOT NULL, email VARCHAR(100),
      PRIMARY KEY (account, id));
    CREATE TABLE orders (id INTEGER PRIMARY KEY, account INTEGER, customer_id INTEGER,
      FOREIGN KEY (account, customer_id) REFERENCES customers (account, id)${action});
    INSERT INTO customers VALUES (1, 1, 'jane@x.org'); INSERT INTO orders VALUES (1, 1, 1)`;
  const SETTINGS = ['tenant_column: account', 'tenants: { acme: 1 }', tables(CUSTOMERS)];
  const text = '"account" tells one controller\'s rows from another\'s, and would change';

  itOn(kind)('cannot be detached', () =>
    isRefused(kind, orders(''), [...SETTINGS, 'detach: [orders.account]'], text),
  );

  itOn(kind)('cannot be set to NULL by a foreign key', () =>
    isRefused(kind, orders(' ON DELETE SET NULL'), [...SETTINGS, 'cascades: [orders]'], text),
  );

  if (kind === 'PostgreSQL')
    itOn(kind)('may stay while the other columns become NULL', () =>
      withTarget(
        kind,
        orders(' ON DELETE SET NULL (customer_id)'),
        [...SETTINGS, 'cascades: [orders]'],
        async (shop) => {
          expect(await shop.problems()).toEqual([]);
          await shop.request();
          expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
          expect(await shop.count('orders WHERE account = 1 AND customer_id IS NULL')).toBe(1);
        },
      ),
    );
});

describeOnEach('on %s, a detached column that cannot be NULL', (kind) => {
  const orders = (rule: string) => `${SCHEMA};
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, ${rule},
      FOREIGN KEY (customer_id) REFERENCES customers (id));
    INSERT INTO orders (id, customer_id) VALUES (1, 1), (2, 2)`;
  const DETACH = ['tenancy: none', tables(CUSTOMERS), 'detach: [orders.customer_id]'];

  // Asked of the database, by the check and at the gate.
  itOn(kind)('because of a CHECK constraint is refused', () =>
    withTarget(
      kind,
      orders('CONSTRAINT known CHECK (customer_id IS NOT NULL)'),
      DETACH,
      async (shop) =>
        expect(await shop.problems()).toEqual([
          expect.stringMatching(
            /"customer_id" would become NULL in rows that stay, which the CHECK constraint .* refuses/,
          ),
        ]),
    ),
  );

  /** The first row without it is allowed: only the database knows whether there is one. */
  const isHeldForTheSecond = (rule: string) =>
    withTarget(kind, orders(rule), DETACH, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      await shop.request([new Identity('email', 'bob@x.org')]);
      expect(await shop.run()).toMatchObject(held('unplanned_change'));
      expect(await shop.count('customers WHERE id = 2')).toBe(1);
      expect(await shop.count('orders WHERE customer_id = 2')).toBe(1);
    });

  itOn(kind)('is held if a unique index does not allow NULL in two rows', () =>
    isHeldForTheSecond('who INTEGER GENERATED ALWAYS AS (coalesce(customer_id, 0)) STORED UNIQUE'),
  );

  if (kind === 'PostgreSQL')
    itOn(kind)('is held if NULL counts as equal in a unique index', () =>
      isHeldForTheSecond('CONSTRAINT once UNIQUE NULLS NOT DISTINCT (customer_id)'),
    );
});

describe('a foreign key of PostgreSQL that is MATCH FULL', () => {
  for (const [what, type, text] of [
    ['all columns that may be NULL', '', 'list all of its columns: detach: [orders.a, orders.b]'],
    [
      'a column that may not be NULL',
      ' NOT NULL',
      'a may not be NULL, so make the key MATCH SIMPLE',
    ],
  ] as const) {
    itOn('PostgreSQL')(`is refused with one column detached, with ${what}`, () =>
      isRefused(
        'PostgreSQL',
        `CREATE TABLE customers (a INTEGER, b INTEGER, email TEXT, PRIMARY KEY (a, b));
        CREATE TABLE orders (id INTEGER PRIMARY KEY, a INTEGER${type}, b INTEGER,
          FOREIGN KEY (a, b) REFERENCES customers MATCH FULL);
        INSERT INTO customers VALUES (1, 1, 'jane@x.org'); INSERT INTO orders VALUES (1, 1, 1)`,
        ['tenancy: none', tables(CUSTOMERS), 'detach: [orders.b]'],
        text,
      ),
    );
  }
});

describe('a column with ON UPDATE CURRENT_TIMESTAMP on MariaDB', () => {
  for (const action of ['', ' ON DELETE SET NULL', ' ON DELETE CASCADE']) {
    itOn('MariaDB')(`stays as it was in rows that are detached${action}`, () =>
      withTarget(
        'MariaDB',
        `${SCHEMA};
        CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER,
          changed TIMESTAMP NOT NULL DEFAULT '2001-01-01 00:00:00' ON UPDATE CURRENT_TIMESTAMP,
          FOREIGN KEY (customer_id) REFERENCES customers (id)${action});
        INSERT INTO orders (id, customer_id) VALUES (1, 1), (2, 2)`,
        ['tenancy: none', tables(CUSTOMERS), 'detach: [orders.customer_id]'],
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.count("orders WHERE changed = '2001-01-01 00:00:00'")).toBe(2);
        },
      ),
    );
  }
});
