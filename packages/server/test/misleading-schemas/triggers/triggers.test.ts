// Triggers that the operator has listed: what they change beside the rows that are erased is seen all the same,
// and allowed only in tables under `cascades`.
import { describe, expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { held, itOn, type Kind, tables, withTarget } from '../misled-target.ts';

/** The databases that count what triggers change. */
const COUNTING = ['SQLite', 'PostgreSQL'] as const;

const CUSTOMERS = '{ table: customers, match: { email: email } }';
const ORDERS = '{ table: orders, via: { customers: { customer_id: id } } }';
const SCHEMA = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, changed INTEGER,
    FOREIGN KEY (customer_id) REFERENCES customers (id));
  CREATE TABLE log (id INTEGER PRIMARY KEY, what VARCHAR(100));
  INSERT INTO customers VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO orders VALUES (1, 1, NULL), (2, 2, NULL);
  INSERT INTO log VALUES (1, 'begin')`;

function trigger(kind: Kind, event: string, body: string): string {
  const head = `CREATE TRIGGER listed AFTER ${event} FOR EACH ROW`;
  if (kind !== 'PostgreSQL') return `${SCHEMA}; ${head} BEGIN ${body}; END`;
  return `${SCHEMA};
    CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NULL; END $$;
    ${head} EXECUTE FUNCTION f()`;
}

describe.each(COUNTING)('a listed trigger on %s', (kind) => {
  for (const [what, body] of [
    ['changes', 'UPDATE customers SET email = NULL WHERE id = 2'],
    ['deletes', 'DELETE FROM customers WHERE id = 2'],
    ['adds', "INSERT INTO customers VALUES (3, 'eve@x.org')"],
  ] as const) {
    itOn(kind)(`that ${what} a row of somebody else in a table of the plan`, () =>
      withTarget(
        kind,
        trigger(kind, 'DELETE ON orders', body),
        ['tenancy: none', 'triggers: [listed]', tables(ORDERS, CUSTOMERS)],
        async (shop) => {
          expect(await shop.problems()).toEqual([]);
          await shop.request();
          expect(await shop.run()).toMatchObject(held('unplanned_change'));
          expect(await shop.count("customers WHERE email = 'bob@x.org'")).toBe(1);
          expect(await shop.count('orders')).toBe(2);
        },
      ),
    );
  }

  itOn(kind)('that writes to a table which the target does not name, until it does', () =>
    withTarget(
      kind,
      trigger(kind, 'DELETE ON orders', "INSERT INTO log VALUES (2, 'gone')"),
      ['tenancy: none', 'triggers: [listed]', tables(ORDERS, CUSTOMERS)],
      async (shop) => {
        const request = await shop.request();
        expect(await shop.run()).toMatchObject({
          outcomes: [
            { reason: 'unplanned_change', detail: expect.stringContaining('changes log') },
          ],
        });
        shop.configure([
          'tenancy: none',
          'triggers: [listed]',
          'cascades: [log]',
          tables(ORDERS, CUSTOMERS),
        ]);
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count('log')).toBe(2);
      },
    ),
  );
});

describe('a listed trigger on SQLite', () => {
  const DETACHED = [
    'tenancy: none',
    'triggers: [listed]',
    'detach: [orders.customer_id]',
    tables(CUSTOMERS),
  ];

  itOn('SQLite')('may note the time of change in the rows that are detached', () =>
    withTarget(
      'SQLite',
      trigger('SQLite', 'UPDATE ON orders', 'UPDATE orders SET changed = 1 WHERE id = NEW.id'),
      DETACHED,
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.evidenceOf(request)).toMatchObject({
          tables: { orders: { rows: 0, detached: 1 } },
        });
        expect(await shop.count('orders WHERE customer_id IS NULL AND changed = 1')).toBe(1);
      },
    ),
  );

  for (const [what, body] of [
    ['delete the rows that are detached', 'DELETE FROM orders WHERE id = NEW.id'],
    ['change other rows of the table', 'UPDATE orders SET changed = 1 WHERE id <> NEW.id'],
  ] as const) {
    itOn('SQLite')(`may not ${what}`, () =>
      withTarget('SQLite', trigger('SQLite', 'UPDATE ON orders', body), DETACHED, async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
        expect(await shop.count('orders WHERE customer_id IS NOT NULL')).toBe(2);
        expect(await shop.count('orders WHERE changed IS NULL')).toBe(2);
      }),
    );
  }

  itOn('SQLite')('may not put another row in the place of somebody’s', () =>
    withTarget(
      'SQLite',
      `${trigger('SQLite', 'DELETE ON orders', "INSERT OR REPLACE INTO log VALUES (3, 'begin')")};
      CREATE UNIQUE INDEX once ON log (what)`,
      [
        'tenancy: none',
        'triggers: [listed]',
        tables('{ table: log, match: { email: what } }', ORDERS, CUSTOMERS),
      ],
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
        expect(await shop.count('log WHERE id = 1')).toBe(1);
      },
    ),
  );

  itOn('SQLite')('may keep the index of a full-text search', () =>
    withTarget(
      'SQLite',
      `CREATE TABLE notes (id INTEGER PRIMARY KEY, email TEXT, body TEXT);
      CREATE VIRTUAL TABLE found USING fts5 (body, content = 'notes', content_rowid = 'id');
      CREATE TRIGGER listed AFTER DELETE ON notes BEGIN
        INSERT INTO found (found, rowid, body) VALUES ('delete', OLD.id, OLD.body); END;
      INSERT INTO notes VALUES (1, 'jane@x.org', 'hello'), (2, 'bob@x.org', 'hi');
      INSERT INTO found (found) VALUES ('rebuild')`,
      ['tenancy: none', 'triggers: [listed]', tables('{ table: notes, match: { email: email } }')],
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count("found WHERE found MATCH 'hello'")).toBe(0);
      },
    ),
  );

  itOn('SQLite')('is counted too where the schema has changed since', () =>
    withTarget(
      'SQLite',
      SCHEMA,
      ['tenancy: none', 'triggers: [listed]', tables(ORDERS, CUSTOMERS)],
      async (shop) => {
        await shop.query("INSERT INTO customers VALUES (4, 'al@x.org')");
        const first = await shop.request([new Identity('email', 'al@x.org')]);
        await shop.run();
        expect(await shop.statusOf(first)).toBe('completed');
        await shop.query(
          'CREATE TRIGGER listed AFTER DELETE ON orders BEGIN UPDATE customers SET email = NULL WHERE id = 2; END',
        );
        await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
      },
    ),
  );
});

describe('a foreign key of PostgreSQL that does not set NULL', () => {
  const SETS_NULL = SCHEMA.replace('(id));', '(id) ON DELETE SET NULL);');
  const settings = (...more: readonly string[]) => [
    'tenancy: none',
    tables(CUSTOMERS),
    'detach: [orders.customer_id]',
    ...more,
  ];

  itOn('PostgreSQL')('because a listed trigger keeps the row as it is', () =>
    withTarget(
      'PostgreSQL',
      `${SETS_NULL};
      CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER listed BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION f()`,
      settings('triggers: [listed]'),
      async (shop) => {
        const request = await shop.request();
        expect(await shop.run()).toMatchObject({
          outcomes: [
            {
              reason: 'unplanned_change',
              detail: expect.stringContaining('a trigger on orders keeps them as they are'),
            },
          ],
        });
        await shop.query('DROP TRIGGER listed ON orders');
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
      },
    ),
  );

  itOn('PostgreSQL')('because its triggers are disabled', () =>
    withTarget(
      'PostgreSQL',
      `${SETS_NULL}; ALTER TABLE customers DISABLE TRIGGER ALL`,
      settings(),
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count('orders WHERE customer_id IS NULL')).toBe(1);
      },
    ),
  );

  itOn('PostgreSQL')('and does not delete, where the table is under cascades', () =>
    withTarget(
      'PostgreSQL',
      `${SCHEMA.replace('(id));', '(id) ON DELETE CASCADE);')}; ALTER TABLE customers DISABLE TRIGGER ALL`,
      ['tenancy: none', tables(CUSTOMERS), 'cascades: [orders]'],
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count('orders')).toBe(1);
      },
    ),
  );
});

describe('a listed trigger on PostgreSQL', () => {
  itOn('PostgreSQL')('may not empty a table which the target does not name', () =>
    withTarget(
      'PostgreSQL',
      trigger('PostgreSQL', 'DELETE ON customers', 'TRUNCATE log'),
      ['tenancy: none', 'triggers: [listed]', tables(ORDERS, CUSTOMERS)],
      async (shop) => {
        const request = await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
        expect(await shop.count('log')).toBe(1);
        shop.configure([
          'tenancy: none',
          'triggers: [listed]',
          'cascades: [log]',
          tables(ORDERS, CUSTOMERS),
        ]);
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
      },
    ),
  );
});

// MariaDB tells only how many rows were changed in all.
describe('a listed trigger on MariaDB', () => {
  const LISTED = ['tenancy: none', 'triggers: [listed]', tables(ORDERS, CUSTOMERS)];
  const CHANGES_BOB = 'UPDATE customers SET email = NULL WHERE id = 2';
  const trigger = (body: string) =>
    `${SCHEMA}; CREATE TRIGGER listed AFTER DELETE ON orders FOR EACH ROW ${body}`;

  itOn('MariaDB')('that inserts rows needs nothing else', () =>
    withTarget('MariaDB', trigger("INSERT INTO log VALUES (2, 'gone')"), LISTED, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.count('log WHERE id = 2')).toBe(1);
    }),
  );

  itOn('MariaDB')('that changes rows is held until that is accepted', () =>
    withTarget('MariaDB', trigger(CHANGES_BOB), LISTED, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      expect(await shop.run()).toMatchObject({
        outcomes: [
          {
            reason: 'unplanned_change',
            detail: expect.stringContaining('accept: { "trigger:listed": "…" }'),
          },
        ],
      });
      expect(await shop.count("customers WHERE email = 'bob@x.org'")).toBe(1);
      shop.configure([...LISTED, 'accept: { "trigger:listed": "bob is a test account" }']);
      await shop.release(request);
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
    }),
  );

  itOn('MariaDB')('is held for what another trigger changes that it sets off', () =>
    withTarget(
      'MariaDB',
      `${trigger("INSERT INTO log VALUES (2, 'gone')")};
      CREATE TRIGGER further AFTER INSERT ON log FOR EACH ROW ${CHANGES_BOB}`,
      LISTED,
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
        expect(await shop.count("customers WHERE email = 'bob@x.org'")).toBe(1);
      },
    ),
  );
});
