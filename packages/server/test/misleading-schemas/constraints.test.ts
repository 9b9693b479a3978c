// Constraints that refuse a change, or resolve it at the cost of another row: nobody else's row goes, and what
// is refused is held with the constraint and the way out, as it would be refused every time.
import { describe, expect } from 'vitest';
import { describeOnEach, itOn, type Kind, tables, withTarget } from './misled-target.ts';

const CUSTOMERS = '{ table: customers, match: { email: email } }';
const SCHEMA = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100));
  INSERT INTO customers VALUES (1, 'jane@x.org'), (2, 'bob@x.org')`;
const DETACH = ['tenancy: none', tables(CUSTOMERS), 'detach: [orders.customer_id]'];

const heldWith = (reason: string, text: RegExp) => ({
  outcomes: [{ outcome: 'held', reason, detail: expect.stringMatching(text) }],
});

describe('a unique constraint of SQLite that says ON CONFLICT REPLACE', () => {
  const both = 'UNIQUE (slot, kind) ON CONFLICT REPLACE';
  const computed =
    "label TEXT GENERATED ALWAYS AS (coalesce(email, slot, '-')) STORED UNIQUE ON CONFLICT REPLACE";
  for (const [what, rule, overwrite] of [
    ['several columns', both, '{ email: null, kind: x }'],
    ['a computed column', computed, '{ email: null, slot: null, kind: null }'],
  ] as const) {
    itOn('SQLite')(`keeps the row of somebody else when ${what} would be equal`, () =>
      withTarget(
        'SQLite',
        `CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT, slot TEXT, kind TEXT, ${rule});
        INSERT INTO customers (id, email, slot, kind) VALUES
          (1, 'jane@x.org', '1', 'a'), (2, ${rule === both ? "'bob@x.org', '1'" : 'NULL, NULL'}, 'x')`,
        [
          'tenancy: none',
          tables(
            `{ table: customers, match: { email: email }, action: { overwrite: ${overwrite} } }`,
          ),
        ],
        async (shop) => {
          await shop.request();
          const run = await shop.run();
          if (rule === both)
            expect(run).toMatchObject(
              heldWith('not_overwritten', /customers\.slot, customers\.kind.* then release/),
            );
          expect(await shop.count('customers')).toBe(2);
        },
      ),
    );
  }

  itOn('SQLite')('keeps the row of somebody else when references are detached', () =>
    withTarget(
      'SQLite',
      `${SCHEMA};
      CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id),
        half INTEGER, who INTEGER GENERATED ALWAYS AS (coalesce(customer_id, half)) STORED UNIQUE ON CONFLICT REPLACE);
      INSERT INTO orders (id, customer_id, half) VALUES (1, 1, 9), (2, NULL, 9), (3, 2, 9)`,
      DETACH,
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(
          heldWith('unplanned_change', /customer_id of orders cannot become NULL.*orders\.who/),
        );
        expect(await shop.count('orders')).toBe(3);
      },
    ),
  );
});

const CHECKED = {
  SQLite: /cannot become NULL.*CHECK constraint.*has_one.* then release/,
  PostgreSQL: /cannot become NULL.*constraint has_one of table orders.* then release/,
  MariaDB: /cannot become NULL.*constraint has_one.* then release/,
} as const satisfies Record<Kind, RegExp>;

describeOnEach('on %s, a constraint that depends on the row', (kind) => {
  const orders = (action: string) => `${SCHEMA};
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, guest VARCHAR(10),
      FOREIGN KEY (customer_id) REFERENCES customers (id)${action},
      CONSTRAINT has_one CHECK (customer_id IS NOT NULL OR guest IS NOT NULL));
    INSERT INTO orders VALUES (1, 1, NULL), (2, 2, NULL)`;

  itOn(kind)('holds a detached reference with its name, until it is corrected', () =>
    withTarget(kind, orders(''), DETACH, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      expect(await shop.run()).toMatchObject(heldWith('unplanned_change', CHECKED[kind]));
      await shop.query("UPDATE orders SET guest = 'x' WHERE id = 1");
      await shop.release(request);
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
    }),
  );

  // MariaDB refuses such a key on a column under CHECK.
  if (kind !== 'MariaDB')
    itOn(kind)('holds what a foreign key would set to NULL', () =>
      withTarget(kind, orders(' ON DELETE SET NULL'), DETACH, async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(
          heldWith('unplanned_change', /has_one.*change the constraint or the row.* then release/),
        );
        expect(await shop.count('orders WHERE customer_id = 1')).toBe(1);
      }),
    );

  itOn(kind)('holds what cannot be overwritten', () =>
    withTarget(
      kind,
      `CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100), slot INTEGER, kind VARCHAR(5),
        CONSTRAINT one_kind UNIQUE (slot, kind));
      INSERT INTO customers VALUES (1, 'jane@x.org', 1, 'a'), (2, 'bob@x.org', 1, 'x')`,
      [
        'tenancy: none',
        tables(
          '{ table: customers, match: { email: email }, action: { overwrite: { email: null, kind: x } } }',
        ),
      ],
      async (shop) => {
        const request = await shop.request();
        const name = kind === 'SQLite' ? 'customers\\.slot, customers\\.kind' : 'one_kind';
        expect(await shop.run()).toMatchObject(
          heldWith('not_overwritten', new RegExp(`${name}.* then release`)),
        );
        await shop.query("UPDATE customers SET kind = 'b' WHERE id = 2");
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
      },
    ),
  );
});
