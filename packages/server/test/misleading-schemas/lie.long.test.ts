// Schemas and moments that could make a record untrue. `completed` leaves no row of the person that the
// evidence does not name, the evidence counts exactly what became of the rows, and where the check finds no
// problem a request does complete.
import { describe, expect, it } from 'vitest';
import { Identity } from '../../src/domain/request/identity.ts';
import {
  held,
  itOn,
  JANE,
  KINDS,
  type Kind,
  refused,
  tables,
  withTarget,
} from './misled-target.ts';

const CITEXT = 'CREATE EXTENSION IF NOT EXISTS citext;';
const CODE_TYPE = `${CITEXT} CREATE DOMAIN code_type AS citext;`;
const USERS = '{ table: users, match: { email: email } }';
const CUSTOMERS = '{ table: customers, match: { email: email } }';
const ORDERS = '{ table: orders, via: { customers: { customer_id: id } } }';
const SHOP = ['tenancy: none', tables(ORDERS, CUSTOMERS)];
const BY_CODE = [
  'tenancy: none',
  tables('{ table: orders, via: { customers: { code: code } } }', CUSTOMERS),
];
const overwriting = (email: string) => [
  'tenancy: none',
  tables(
    ORDERS,
    `{ table: customers, match: { email: email }, action: { overwrite: { email: ${email} } } }`,
  ),
];
const shopSchema = (key = '') => `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100) UNIQUE);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER${key});
  INSERT INTO customers VALUES (1, 'bob@x.org'), (2, 'jane@x.org');
  INSERT INTO orders VALUES (10, 2), (11, 2), (20, 1)`;
const WITH_KEY = shopSchema(', FOREIGN KEY (customer_id) REFERENCES customers(id)');
const LATE_ORDER = 'INSERT INTO orders VALUES (12, 2)';

describe('an order that comes while its customer is erased', () => {
  for (const kind of KINDS) {
    for (const [what, schema, settings] of [
      ['deleted', shopSchema(), SHOP],
      ['overwritten', WITH_KEY, overwriting('null')],
    ] as const) {
      itOn(kind)(`keeps the request open after the customer was ${what} (${kind})`, () =>
        withTarget(kind, schema, settings, async (shop) => {
          const request = await shop.request();
          expect(await shop.runWhile(LATE_ORDER)).toMatchObject(held('orphaned'));
          await shop.release(request);
          expect(await shop.run()).toMatchObject(held('orphaned'));
          expect(await shop.statusOf(request)).toBe('in_progress');
        }),
      );
    }
  }

  itOn('PostgreSQL')('keeps the request open where the worker died after the commit', () =>
    withTarget('PostgreSQL', WITH_KEY, overwriting('{ hash: true }'), async (shop) => {
      const request = await shop.request();
      await shop.dieAfterErasing();
      await shop.query(LATE_ORDER);
      expect(await shop.run()).toMatchObject(held('orphaned'));
      expect(await shop.statusOf(request)).toBe('in_progress');
    }),
  );
});

describe('references and identities in unusual columns', () => {
  itOn('PostgreSQL')('hold where a domain over citext takes another spelling for equal', () =>
    withTarget(
      'PostgreSQL',
      `${CODE_TYPE}
      CREATE TABLE customers (code code_type PRIMARY KEY, email TEXT);
      CREATE TABLE orders (id INTEGER PRIMARY KEY, code code_type);
      INSERT INTO customers VALUES ('abc', 'jane@x.org');
      INSERT INTO orders VALUES (1, 'ABC'), (2, 'abc')`,
      BY_CODE,
      async (shop) => {
        expect(await shop.count('orders o JOIN customers c ON c.code = o.code')).toBe(2);
        await shop.request();
        expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
        expect(await shop.count('orders')).toBe(2);
      },
    ),
  );

  for (const [what, settings, identity] of [
    [
      'a tenant',
      ['tenant_column: no', 'tenants: { acme: 42 }', tables(CUSTOMERS)],
      new Identity('email', 'jane@x.org'),
    ],
    [
      'a customer id',
      ['tenancy: none', tables('{ table: customers, match: { controller_customer_id: no } }')],
      new Identity('controller_customer_id', '42'),
    ],
  ] as const) {
    itOn('MariaDB')(`find ${what} by its number in a column with ZEROFILL`, () =>
      withTarget(
        'MariaDB',
        `CREATE TABLE customers (id INT PRIMARY KEY, no INT(5) ZEROFILL NOT NULL,
          email VARCHAR(100));
        INSERT INTO customers VALUES (1, 42, 'jane@x.org')`,
        settings,
        async (shop) => {
          const request = await shop.request([identity]);
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.count('customers')).toBe(0);
        },
      ),
    );
  }

  itOn('MariaDB')('find an order by a DECIMAL with ZEROFILL', () =>
    withTarget(
      'MariaDB',
      `CREATE TABLE customers (code DECIMAL(5, 0) ZEROFILL PRIMARY KEY, email VARCHAR(100));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, code DECIMAL(5, 0) ZEROFILL);
      INSERT INTO customers VALUES (7, 'jane@x.org'); INSERT INTO orders VALUES (1, 7)`,
      BY_CODE,
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count('orders')).toBe(0);
      },
    ),
  );

  for (const [kind, type, before] of [
    ['MariaDB', 'VARCHAR(20)', ''],
    ['SQLite', 'TEXT COLLATE NOCASE', ''],
    ['PostgreSQL', 'citext', CITEXT],
  ] as const) {
    for (const shared of ['hold', 'erase']) {
      itOn(kind)(
        `find a message by a foreign key in another spelling, under shared: ${shared} (${kind})`,
        () =>
          withTarget(
            kind,
            `${before}
            CREATE TABLE users (code ${type} NOT NULL PRIMARY KEY, email VARCHAR(100));
            CREATE TABLE messages (id INTEGER PRIMARY KEY, sender ${type}, recipient ${type},
              FOREIGN KEY (sender) REFERENCES users(code),
              FOREIGN KEY (recipient) REFERENCES users(code));
            INSERT INTO users VALUES ('abc', 'jane@x.org');
            INSERT INTO messages VALUES (1, 'ABC', NULL), (2, 'abc', NULL)`,
            [
              'tenancy: none',
              tables(
                `{ table: messages, via: { users: [{ sender: code }, { recipient: code }] }, shared: ${shared} }`,
                '{ table: users, match: { email: email }, action: { overwrite: { email: null } } }',
              ),
            ],
            async (shop) => {
              const request = await shop.request();
              await shop.run();
              expect(await shop.statusOf(request)).toBe('completed');
              expect(await shop.count('messages')).toBe(0);
            },
          ),
      );
    }
  }

  itOn('PostgreSQL')('are refused where other identities would be looked up by a JSON column', () =>
    withTarget(
      'PostgreSQL',
      `CREATE TABLE customers (id INTEGER PRIMARY KEY, email JSONB, ext TEXT);
      CREATE TABLE orders (id INTEGER PRIMARY KEY, email TEXT, ext TEXT);
      INSERT INTO customers VALUES (1, '"jane@x.org"', 'J1');
      INSERT INTO orders VALUES (1, 'jane@x.org', NULL), (2, NULL, 'J1')`,
      [
        'tenancy: none',
        tables('{ table: orders, match: { email: email, controller_customer_id: ext } }'),
        'resolve: { table: customers, from: { email: email }, to: { controller_customer_id: ext } }',
      ],
      async (shop) => {
        expect(await shop.problems()).not.toEqual([]);
        const request = await shop.request();
        expect(await shop.run()).toMatchObject(refused('the column "email" is jsonb'));
        expect(await shop.statusOf(request)).toBe('in_progress');
      },
    ),
  );
});

describe('rows that change between a preview or an attempt and the next', () => {
  const MAIL = [
    'tenancy: none',
    tables('{ table: messages, match: { email: [sender, recipient] }, shared: keep }'),
  ];

  it('are held as orphaned if their parent is gone after the preview', () =>
    withTarget('SQLite', shopSchema(), [...SHOP, 'mode: preview'], async (shop) => {
      const request = await shop.request();
      expect(await shop.run()).toMatchObject(held('preview_mode'));
      await shop.query('DELETE FROM customers WHERE id = 2');
      await shop.release(request);
      expect(await shop.run()).toMatchObject(held('orphaned'));
    }));

  it('are not mentioned if they were moved to somebody else before', () =>
    withTarget('SQLite', shopSchema(), SHOP, async (shop) => {
      const request = await shop.request();
      await shop.runAfter('UPDATE orders SET customer_id = 1 WHERE id = 11');
      const evidence = await shop.evidenceOf(request);
      expect(evidence?.tables?.orders).toEqual({ action: 'delete', rows: 1 });
    }));

  it('count once as kept if they became shared', () =>
    withTarget(
      'SQLite',
      `CREATE TABLE messages (id INTEGER PRIMARY KEY, sender TEXT, recipient TEXT);
      INSERT INTO messages VALUES (1, 'jane@x.org', NULL), (2, 'jane@x.org', NULL)`,
      MAIL,
      async (shop) => {
        const request = await shop.request();
        await shop.failOnce();
        await shop.query("UPDATE messages SET recipient = 'bob@x.org' WHERE id = 1");
        await shop.run();
        const evidence = await shop.evidenceOf(request);
        expect(evidence?.tables?.messages).toEqual({ action: 'delete', rows: 1, shared_kept: 1 });
      },
    ));

  it('are not on record as retained if they are gone', () =>
    withTarget(
      'SQLite',
      `CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT);
      CREATE TABLE invoices (id INTEGER PRIMARY KEY, customer_id INTEGER);
      INSERT INTO customers VALUES (1, 'jane@x.org');
      INSERT INTO invoices VALUES (1, 1), (2, 1), (3, 1)`,
      [
        'tenancy: none',
        tables(
          '{ table: invoices, via: { customers: { customer_id: id } }, action: { retain: tax } }',
          CUSTOMERS,
        ),
      ],
      async (shop) => {
        const request = await shop.request();
        await shop.failOnce();
        await shop.query('DELETE FROM invoices');
        await shop.run();
        const evidence = await shop.evidenceOf(request);
        expect(evidence?.tables).toEqual({ customers: { action: 'delete', rows: 1 } });
      },
    ));

  itOn('PostgreSQL')('count once where hand-written statements find them by two identities', () => {
    const where = 'FROM people WHERE :email IN (mail, mail2)';
    const count = `SELECT count(*) ${where}`;
    return withTarget(
      'PostgreSQL',
      `CREATE TABLE people (id INTEGER PRIMARY KEY, mail TEXT, mail2 TEXT);
      INSERT INTO people VALUES (1, 'jane@x.org', 'jane@y.org')`,
      [
        'controllers: [acme]',
        `sql: { preview: "${count}", erase: "DELETE ${where}", verify: "${count}" }`,
      ],
      async (shop) => {
        const request = await shop.request([...JANE, new Identity('email', 'jane@y.org')]);
        await shop.run();
        const evidence = await shop.evidenceOf(request);
        expect(evidence?.tables).toEqual({ rows: { action: 'erase', rows: 1 } });
      },
    );
  });
});

describe('a worker that died after the commit', () => {
  it('counts its row once if SQLite has given the number to somebody else', () =>
    withTarget(
      'SQLite',
      `CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT);
      INSERT INTO customers VALUES (1, 'bob@x.org'), (2, 'jane@x.org')`,
      ['tenancy: none', tables(CUSTOMERS)],
      async (shop) => {
        const request = await shop.request();
        await shop.dieAfterErasing();
        await shop.query("INSERT INTO customers (email) VALUES ('mallory@x.org')");
        await shop.run();
        const own = (await shop.evidenceOf(request))?.tables?.customers;
        expect((own?.rows ?? 0) + (own?.already_gone ?? 0)).toBe(1);
        expect(await shop.count("customers WHERE id = 2 AND email = 'mallory@x.org'")).toBe(1);
      },
    ));

  it('is still credited with its overwriting after the new values were changed in the configuration', () => {
    const writing = (name: string) => [
      'tenancy: none',
      tables(
        `{ table: customers, match: { email: email }, action: { overwrite: { email: null, name: ${name} } } }`,
      ),
    ];
    return withTarget(
      'SQLite',
      `CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT, name TEXT);
      INSERT INTO customers VALUES (1, 'jane@x.org', 'Jane')`,
      writing('erased'),
      async (shop) => {
        const request = await shop.request();
        await shop.dieAfterErasing();
        shop.configure(writing('gone'));
        await shop.run();
        expect(await shop.evidenceOf(request)).toMatchObject({
          action: 'erased',
          recovered: true,
          tables: { customers: { action: 'overwrite', rows: 1 } },
        });
      },
    );
  });
});

describe('a request completes, as the check finds no problem', () => {
  const completes = (kind: Kind, schema: string, settings: readonly string[], emptied: string) =>
    withTarget(kind, schema, settings, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.count(emptied)).toBe(0);
    });

  for (const [kind, action] of [
    ['MariaDB', ''],
    ['MariaDB', 'ON DELETE CASCADE'],
    ['SQLite', 'ON DELETE CASCADE'],
  ] as const) {
    itOn(kind)(
      `where somebody has answered her own comment (${kind}${action && `, ${action}`})`,
      () =>
        completes(
          kind,
          `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(100) UNIQUE);
        CREATE TABLE comments (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, parent_id INTEGER,
          FOREIGN KEY (user_id) REFERENCES users(id),
          FOREIGN KEY (parent_id) REFERENCES comments(id) ${action});
        INSERT INTO users VALUES (1, 'jane@x.org');
        INSERT INTO comments VALUES (10, 1, NULL), (11, 1, 10)`,
          ['tenancy: none', tables('{ table: comments, via: { users: { user_id: id } } }', USERS)],
          'comments',
        ),
    );
  }

  for (const kind of KINDS) {
    itOn(kind)(`where a whole tree of folders goes by a listed cascade (${kind})`, () =>
      completes(
        kind,
        `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(100) UNIQUE);
        CREATE TABLE folders (id INTEGER PRIMARY KEY, user_id INTEGER, parent_id INTEGER,
          FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
          FOREIGN KEY (parent_id) REFERENCES folders(id) ON DELETE CASCADE);
        INSERT INTO users VALUES (1, 'jane@x.org');
        INSERT INTO folders VALUES (10, 1, NULL), (11, NULL, 10), (12, NULL, 11)`,
        ['tenancy: none', 'cascades: [folders]', tables(USERS)],
        'folders',
      ),
    );
  }

  itOn('PostgreSQL')(
    'where a listed trigger keeps a count in a table that is declared and listed',
    () =>
      completes(
        'PostgreSQL',
        `CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100), n INTEGER);
      CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER);
      CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN UPDATE customers SET n = n - 1 WHERE id = OLD.customer_id; RETURN NULL; END $$;
      CREATE TRIGGER count_orders AFTER DELETE ON orders FOR EACH ROW EXECUTE FUNCTION f();
      INSERT INTO customers VALUES (1, 'jane@x.org', 1); INSERT INTO orders VALUES (1, 1)`,
        [...SHOP, 'triggers: [count_orders]', 'cascades: [customers]'],
        'customers',
      ),
  );

  for (const action of ['', ' ON DELETE CASCADE']) {
    itOn('PostgreSQL')(
      `where a foreign key joins two spellings of a domain over citext${action}`,
      () =>
        completes(
          'PostgreSQL',
          `${CODE_TYPE}
        CREATE TABLE customers (code code_type PRIMARY KEY, email TEXT);
        CREATE TABLE orders (id INTEGER PRIMARY KEY,
          code code_type REFERENCES customers(code)${action});
        INSERT INTO customers VALUES ('abc', 'jane@x.org'); INSERT INTO orders VALUES (1, 'ABC')`,
          BY_CODE,
          'orders',
        ),
    );
  }
});
