// Rows whose ties are unusual: they lead to nothing, to another tenant, or to rows that are gone.
import { expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { describeOnEach, held, itOn, tables, withTarget } from '../misled-target.ts';

const CUSTOMERS = '{ table: customers, match: { email: email } }';
const SHOP = [
  'tenancy: none',
  tables('{ table: orders, via: { customers: { customer_id: id } } }', CUSTOMERS),
];
const SHOP_SCHEMA = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER);
  INSERT INTO customers VALUES (1, 'jane@x.org');
  INSERT INTO orders VALUES (10, 1)`;

describeOnEach('on %s', (kind) => {
  itOn(kind)(
    'an order that comes for a customer who has just been erased is held, with a way out',
    () =>
      withTarget(kind, SHOP_SCHEMA, SHOP, async (shop) => {
        const request = await shop.request();
        expect(await shop.runWhile('INSERT INTO orders VALUES (11, 1)')).toMatchObject(
          held('orphaned'),
        );
        await shop.release(request);
        expect(await shop.run()).toMatchObject(held('orphaned'));
        await shop.query('DELETE FROM orders');
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect((await shop.evidenceOf(request))?.tables).toEqual({
          orders: { action: 'delete', rows: 1 },
          customers: { action: 'delete', rows: 1 },
        });
      }),
  );

  itOn(kind)('a row of two people goes with the second where both are erased at once', () =>
    withTarget(
      kind,
      `CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(100), house INTEGER);
      CREATE TABLE files (id INTEGER PRIMARY KEY, house INTEGER);
      INSERT INTO people VALUES (1, 'jane@x.org', 7), (2, 'joe@x.org', 7);
      INSERT INTO files VALUES (4, 7)`,
      [
        'tenancy: none',
        tables(
          '{ table: files, via: { people: { house: house } }, shared: keep }',
          '{ table: people, match: { email: email } }',
        ),
      ],
      async (shop) => {
        const jane = await shop.request();
        const joe = await shop.request([new Identity('email', 'joe@x.org')]);
        await shop.run();
        for (const request of [jane, joe]) expect(await shop.statusOf(request)).toBe('completed');
        expect((await shop.evidenceOf(jane))?.tables?.files).toBeUndefined();
        expect((await shop.evidenceOf(joe))?.tables?.files).toMatchObject({ rows: 1 });
        expect(await shop.count('files')).toBe(0);
      },
    ),
  );

  const MESSAGES = `
    CREATE TABLE messages (id INTEGER PRIMARY KEY, sender VARCHAR(100), recipient VARCHAR(100), body VARCHAR(100));
    INSERT INTO messages VALUES (1, 'jane@x.org', 'jane@x.org', 'a note'), (2, 'gone@x.invalid', 'jane@x.org', 'hi'),
      (3, 'gone@x.invalid', 'joe@x.org', 'ho')`;
  const messages = (...columns: readonly string[]) => [
    'tenancy: none',
    tables(
      `{ table: messages, match: { email: [sender, recipient] },
         action: { overwrite: { ${columns.map((it) => `${it}: gone@x.invalid`).join(', ')}, body: null } } }`,
    ),
  ];
  const bodies = `SELECT body FROM messages WHERE body IS NOT NULL`;

  itOn(kind)('a row whose other person was erased before is tied to nobody else', () =>
    withTarget(kind, MESSAGES, messages('sender', 'recipient'), async (shop) => {
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query(bodies)).toEqual([{ body: 'ho' }]);
      expect((await shop.evidenceOf(request))?.tables?.messages).toMatchObject({ rows: 2 });
    }),
  );

  itOn(kind)('a row that names the person twice completes where one of the names stays', () =>
    withTarget(kind, MESSAGES, messages('sender'), async (shop) => {
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query(bodies)).toEqual([{ body: 'ho' }]);
    }),
  );

  itOn(kind)('a text that the plan writes into another column is somebody', () =>
    withTarget(kind, MESSAGES, messages('recipient'), async (shop) => {
      await shop.request();
      expect(await shop.run()).toMatchObject(held('shared'));
    }),
  );

  itOn(kind)('a reference with a value that no parent can have counts as somebody else’s', () =>
    withTarget(
      kind,
      `CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(100));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, email VARCHAR(100));
      CREATE TABLE items (id INTEGER PRIMARY KEY, order_ref VARCHAR(20), person_id INTEGER);
      INSERT INTO people VALUES (1, 'jane@x.org');
      INSERT INTO items VALUES (1, 'c2', 1), (2, NULL, 1)`,
      [
        'tenancy: none',
        tables(
          '{ table: items, via: { orders: { order_ref: id }, people: { person_id: id } }, shared: keep }',
          '{ table: orders, match: { email: email } }',
          '{ table: people, match: { email: email } }',
        ),
      ],
      async (shop) => {
        await shop.request();
        await shop.run();
        expect(await shop.count('items WHERE id = 1')).toBe(1);
        expect(await shop.count('items WHERE id = 2')).toBe(0);
      },
    ),
  );

  itOn(kind)(
    'a request that the target does not know by its own lookup is not found, and not held',
    () =>
      withTarget(
        kind,
        `CREATE TABLE users (id INTEGER PRIMARY KEY, name VARCHAR(100));
      CREATE TABLE user_emails (id INTEGER PRIMARY KEY, user_id INTEGER, email VARCHAR(100));
      INSERT INTO users VALUES (1, 'Bob');
      INSERT INTO user_emails VALUES (1, 1, 'bob@x.org')`,
        [
          'tenancy: none',
          'resolve: { table: user_emails, from: { email: email }, to: { controller_customer_id: user_id } }',
          tables(
            '{ table: user_emails, via: { users: { user_id: id } } }',
            '{ table: users, match: { controller_customer_id: id } }',
          ),
        ],
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
          expect(await shop.evidenceOf(request)).toMatchObject({ action: 'not_found' });
        },
      ),
  );

  itOn(kind)('what a plan has erased is told, although the next plan cannot be asked', () => {
    const plan = (type: string) => [
      'tenancy: none',
      'when_unmatched: skip',
      tables(`{ table: customers, match: { ${type}: email } }`),
    ];
    return withTarget(kind, SHOP_SCHEMA, plan('email'), async (shop) => {
      const request = await shop.request();
      await shop.dieAfterErasing();
      shop.configure(plan('controller_customer_id'));
      await shop.run();
      expect(await shop.evidenceOf(request)).toMatchObject({
        action: 'erased',
        recovered: true,
        tables: { customers: { rows: 1 } },
      });
    });
  });

  itOn(kind)(
    'a row of no tenant that is written otherwise does not hold a request of another tenant',
    () =>
      withTarget(
        kind,
        `CREATE TABLE people (id INTEGER PRIMARY KEY, account VARCHAR(20), code VARCHAR(40));
      CREATE TABLE items (id INTEGER PRIMARY KEY, account VARCHAR(20), code VARCHAR(40)${kind === 'SQLite' ? ' COLLATE NOCASE' : ''});
      INSERT INTO people VALUES (1, 'acme', 'jane@x.org');
      INSERT INTO items VALUES (1, 'acme', 'jane@x.org'), (2, NULL, 'JANE@X.ORG')`,
        [
          'tenant_column: account',
          tables(
            '{ table: items, via: { people: { code: code } }, shared: erase }',
            '{ table: people, match: { email: code } }',
          ),
        ],
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.count('items')).toBe(1);
        },
      ),
  );

  itOn(kind)(
    'an overwritten person still has what refers to them, also by a number that is not unique',
    () =>
      withTarget(
        kind,
        `CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(100), no INTEGER);
      CREATE TABLE items (id INTEGER PRIMARY KEY, person_no INTEGER);
      CREATE TABLE notes (id INTEGER PRIMARY KEY, item_id INTEGER);
      INSERT INTO people VALUES (1, 'jane@x.org', 7);
      INSERT INTO items VALUES (1, 7)`,
        [
          'tenancy: none',
          tables(
            '{ table: notes, via: { items: { item_id: id } } }',
            '{ table: items, via: { people: { person_no: no } }, action: { retain: tax } }',
            '{ table: people, match: { email: email }, action: { overwrite: { email: null } } }',
          ),
        ],
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
        },
      ),
  );

  itOn(kind)('a second address that is blank names nobody', () =>
    withTarget(
      kind,
      `CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(100), backup VARCHAR(100));
      INSERT INTO people VALUES (1, 'jane@x.org', ''), (2, 'jane@x.org', ' '), (3, 'bob@x.org', '')`,
      ['tenancy: none', tables('{ table: people, match: { email: [email, backup] } }')],
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count('people')).toBe(1);
      },
    ),
  );

  itOn(kind)('a tenant is the same number, however many decimals its column has', () =>
    withTarget(
      kind,
      `CREATE TABLE people (id INTEGER PRIMARY KEY, account DECIMAL(10, 2), email VARCHAR(100));
      INSERT INTO people VALUES (1, 42, 'jane@x.org'), (2, 43, 'jane@x.org')`,
      [
        'tenant_column: account',
        'tenants: { acme: 42 }',
        tables('{ table: people, match: { email: email } }'),
      ],
      async (shop) => {
        await shop.request();
        await shop.run();
        expect(await shop.count('people WHERE account = 42')).toBe(0);
        expect(await shop.count('people')).toBe(1);
      },
    ),
  );
});
