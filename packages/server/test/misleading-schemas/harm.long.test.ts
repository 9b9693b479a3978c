// Schemas that mislead about whose a row is. A row that is not this person's is neither deleted nor changed,
// unless `shared` or `cascades` says so for its table: the request is held, or the target is refused.
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config.ts';
import { held, itOn, KINDS, refused, tables, withTarget } from './misled-target.ts';

const ICU =
  "CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);";
const CITEXT = 'CREATE EXTENSION IF NOT EXISTS citext;';
const USERS = '{ table: users, match: { email: email } }';
const CUSTOMERS = '{ table: customers, match: { email: email } }';
const ORDERS_BY_CODE = '{ table: orders, via: { customers: { code: code } } }';

describe('a foreign key of SQLite that acts on other people’s rows, beside a listed trigger', () => {
  it('holds a comment whose deletion would delete somebody else’s reply', () =>
    withTarget(
      'SQLite',
      `CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT UNIQUE);
      CREATE TABLE comments (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users(id),
        parent_id INTEGER REFERENCES comments(id) ON DELETE CASCADE);
      CREATE TABLE stats (n INTEGER); INSERT INTO stats VALUES (2);
      CREATE TRIGGER count_comments AFTER DELETE ON comments BEGIN UPDATE stats SET n = n - 1; END;
      INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
      INSERT INTO comments VALUES (10, 1, NULL), (11, 2, 10)`,
      [
        'tenancy: none',
        'triggers: [count_comments]',
        tables('{ table: comments, via: { users: { user_id: id } } }', USERS),
      ],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
        expect(await shop.count('comments WHERE user_id = 2')).toBe(1);
      },
    ));

  it('holds a user whose deletion would delete a file that she uploaded for somebody else', () =>
    withTarget(
      'SQLite',
      `CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT UNIQUE);
      CREATE TABLE files (id INTEGER PRIMARY KEY, owner_email TEXT,
        uploaded_by INTEGER REFERENCES users(id) ON DELETE CASCADE);
      CREATE TABLE log (t TEXT);
      CREATE TRIGGER note_user AFTER DELETE ON users BEGIN INSERT INTO log VALUES ('deleted'); END;
      INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
      INSERT INTO files VALUES (1, 'jane@x.org', 1), (2, 'bob@x.org', 1)`,
      [
        'tenancy: none',
        'triggers: [note_user]',
        tables('{ table: files, match: { email: owner_email } }', USERS),
      ],
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
        expect(await shop.count("files WHERE owner_email = 'bob@x.org'")).toBe(1);
      },
    ));

  it('holds a manager whose deletion would change the people who report to her', () =>
    withTarget(
      'SQLite',
      `CREATE TABLE employees (id INTEGER PRIMARY KEY, email TEXT UNIQUE,
        manager_id INTEGER REFERENCES employees(id) ON DELETE SET NULL);
      CREATE TABLE stats (n INTEGER); INSERT INTO stats VALUES (2);
      CREATE TRIGGER recount AFTER DELETE ON employees BEGIN UPDATE stats SET n = n - 1; END;
      INSERT INTO employees VALUES (1, 'jane@x.org', NULL), (2, 'bob@x.org', 1)`,
      [
        'tenancy: none',
        'triggers: [recount]',
        tables('{ table: employees, match: { email: email } }'),
      ],
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
        expect(await shop.count('employees WHERE id = 2 AND manager_id = 1')).toBe(1);
      },
    ));
});

describe('values that the database takes for equal', () => {
  for (const [kind, type, before] of [
    ['MariaDB', 'VARCHAR(20)', ''],
    ['SQLite', 'TEXT COLLATE NOCASE', ''],
    ['PostgreSQL', 'citext', CITEXT],
    ['PostgreSQL', 'text COLLATE ci', ICU],
  ] as const) {
    itOn(kind)(
      `holds a household that somebody else refers to in another spelling (${kind}, ${type})`,
      () =>
        withTarget(
          kind,
          `${before}
          CREATE TABLE households (code ${type} NOT NULL PRIMARY KEY, address VARCHAR(50));
          CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100), household ${type});
          INSERT INTO households VALUES ('abc', 'Elm Street 1');
          INSERT INTO customers VALUES (1, 'jane@x.org', 'abc'), (2, 'bob@x.org', 'ABC')`,
          [
            'tenancy: none',
            tables('{ table: households, via: { customers: { code: household } } }', CUSTOMERS),
          ],
          async (shop) => {
            const ofBob = 'customers c JOIN households h ON h.code = c.household WHERE c.id = 2';
            expect(await shop.count(ofBob)).toBe(1);
            await shop.request();
            expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
            expect(await shop.count('households')).toBe(1);
          },
        ),
    );
  }

  const UUID = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
  for (const [kind, type, hers, others] of [
    ['SQLite', 'INTEGER', '7', '07'],
    ['MariaDB', 'INTEGER', '7', '07'],
    ['PostgreSQL', 'UUID', UUID, UUID.toUpperCase()],
  ] as const) {
    itOn(kind)(`holds an order that two text keys name by one ${type} (${kind})`, () =>
      withTarget(
        kind,
        `CREATE TABLE customers (code VARCHAR(40) PRIMARY KEY NOT NULL, email VARCHAR(100));
        CREATE TABLE orders (id INTEGER PRIMARY KEY, code ${type});
        INSERT INTO customers VALUES ('${hers}', 'jane@x.org'), ('${others}', 'bob@x.org');
        INSERT INTO orders VALUES (1, '${hers}')`,
        ['tenancy: none', tables(ORDERS_BY_CODE, CUSTOMERS)],
        async (shop) => {
          await shop.request();
          expect(await shop.run()).toMatchObject(held('shared'));
          expect(await shop.count('orders')).toBe(1);
        },
      ),
    );
  }

  itOn('PostgreSQL')(
    'holds an order of two customers whose keys are unique under a stricter collation than they are compared under',
    () =>
      withTarget(
        'PostgreSQL',
        `${ICU}
        CREATE TABLE customers (id INTEGER PRIMARY KEY, code text COLLATE ci, email TEXT);
        CREATE UNIQUE INDEX customers_code ON customers (code COLLATE "C");
        CREATE TABLE orders (id INTEGER PRIMARY KEY, code text COLLATE ci);
        INSERT INTO customers VALUES (1, 'abc', 'jane@x.org'), (2, 'ABC', 'bob@x.org');
        INSERT INTO orders VALUES (1, 'abc')`,
        ['tenancy: none', tables(ORDERS_BY_CODE, CUSTOMERS)],
        async (shop) => {
          const ofBob = 'orders o JOIN customers c ON c.code = o.code WHERE c.id = 2';
          expect(await shop.count(ofBob)).toBe(1);
          await shop.request();
          expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
          expect(await shop.count('orders')).toBe(1);
        },
      ),
  );

  itOn('PostgreSQL')(
    'holds the calls of everybody without a number where she has none either',
    () =>
      withTarget(
        'PostgreSQL',
        `CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT, phone TEXT UNIQUE);
      CREATE TABLE calls (id INTEGER PRIMARY KEY, phone TEXT NOT NULL DEFAULT '');
      INSERT INTO customers VALUES (1, 'jane@x.org', ''), (2, 'bob@x.org', NULL);
      INSERT INTO calls VALUES (1, ''), (2, ''), (3, '555')`,
        [
          'tenancy: none',
          tables('{ table: calls, via: { customers: { phone: phone } } }', CUSTOMERS),
        ],
        async (shop) => {
          await shop.request();
          expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
          expect(await shop.count('calls')).toBe(3);
        },
      ),
  );

  it('keeps a shared message whose recipient SQLite has stored as a blob', () =>
    withTarget(
      'SQLite',
      `CREATE TABLE messages (id INTEGER PRIMARY KEY, sender TEXT, recipient TEXT);
      INSERT INTO messages VALUES (1, 'jane@x.org', CAST('bob@x.org' AS BLOB)),
        (2, 'jane@x.org', 'bob@x.org')`,
      [
        'tenancy: none',
        tables('{ table: messages, match: { email: [sender, recipient] }, shared: keep }'),
      ],
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect((await shop.evidenceOf(request))?.tables?.messages).toMatchObject({
          rows: 0,
          shared_kept: 2,
        });
        expect(await shop.count('messages')).toBe(2);
      },
    ));
});

describe('a plan that reaches further than it says', () => {
  for (const kind of KINDS) {
    itOn(kind)(`refuses a constant in a column that another table refers to (${kind})`, () =>
      withTarget(
        kind,
        `CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100), phone VARCHAR(20));
        CREATE TABLE calls (id INTEGER PRIMARY KEY, phone VARCHAR(20));
        INSERT INTO customers VALUES (1, 'jane@x.org', '1'), (4, 'bob@x.org', 'none');
        INSERT INTO calls VALUES (1, '1'), (3, 'none')`,
        [
          'tenancy: none',
          tables(
            '{ table: calls, via: { customers: { phone: phone } }, shared: erase }',
            '{ table: customers, match: { email: email }, action: { overwrite: { phone: none } } }',
          ),
        ],
        async (shop) => {
          await shop.request();
          const refusal = refused('"phone" is what calls refers to');
          expect(await shop.run()).toMatchObject(refusal);
          shop.later();
          expect(await shop.run()).toMatchObject(refusal);
          expect(await shop.count('calls')).toBe(2);
        },
      ),
    );
  }

  itOn('MariaDB')('names the table that an overwritten key reaches over two foreign keys', () =>
    withTarget(
      'MariaDB',
      `CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100) UNIQUE);
      CREATE TABLE subs (id INTEGER PRIMARY KEY, email VARCHAR(100) UNIQUE,
        FOREIGN KEY (email) REFERENCES customers(email) ON UPDATE CASCADE);
      CREATE TABLE logs (id INTEGER PRIMARY KEY, email VARCHAR(100),
        FOREIGN KEY (email) REFERENCES subs(email) ON UPDATE CASCADE);
      INSERT INTO customers VALUES (1, 'jane@x.org'); INSERT INTO subs VALUES (1, 'jane@x.org');
      INSERT INTO logs VALUES (1, 'jane@x.org')`,
      [
        'tenancy: none',
        'cascades: [subs]',
        tables(
          '{ table: customers, match: { email: email }, action: { overwrite: { email: null } } }',
        ),
      ],
      async (shop) => {
        expect(await shop.problems()).toContainEqual(expect.stringMatching(/^logs: /));
        await shop.request();
        expect(await shop.run()).toMatchObject(refused('logs: '));
        expect(await shop.count("logs WHERE email = 'jane@x.org'")).toBe(1);
      },
    ),
  );

  itOn('MariaDB')('names the table that a listed cascade changes in its turn', () =>
    withTarget(
      'MariaDB',
      `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(100) UNIQUE);
      CREATE TABLE seats (no INTEGER PRIMARY KEY, user_id INTEGER UNIQUE,
        FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL);
      CREATE TABLE badges (id INTEGER PRIMARY KEY, holder INTEGER,
        FOREIGN KEY (holder) REFERENCES seats(user_id) ON UPDATE CASCADE);
      INSERT INTO users VALUES (1, 'jane@x.org'); INSERT INTO seats VALUES (7, 1);
      INSERT INTO badges VALUES (1, 1)`,
      ['tenancy: none', 'cascades: [seats]', tables(USERS)],
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(refused('badges: '));
        expect(await shop.count('badges WHERE holder = 1')).toBe(1);
      },
    ),
  );

  itOn('PostgreSQL')('refuses a partition that retains beside its root that deletes', () =>
    withTarget(
      'PostgreSQL',
      `CREATE TABLE ev (id INTEGER, kind TEXT, email TEXT, PRIMARY KEY (id, kind))
        PARTITION BY LIST (kind);
      CREATE TABLE ev_inv PARTITION OF ev FOR VALUES IN ('invoice');
      CREATE TABLE ev_rest PARTITION OF ev DEFAULT;
      INSERT INTO ev VALUES (1, 'invoice', 'jane@x.org'), (2, 'click', 'jane@x.org')`,
      [
        'tenancy: none',
        tables(
          '{ table: ev_inv, match: { email: email }, action: { retain: tax law } }',
          '{ table: ev, match: { email: email } }',
        ),
      ],
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(refused('ev_inv: is a part of ev'));
        expect(await shop.count('ev')).toBe(2);
      },
    ),
  );

  itOn('PostgreSQL')(
    'holds what a trigger that waits for the commit would delete of other people',
    () =>
      withTarget(
        'PostgreSQL',
        `CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT UNIQUE, household INTEGER);
      CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN DELETE FROM customers WHERE household = OLD.household; RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER tidy AFTER DELETE ON customers
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION f();
      INSERT INTO customers VALUES (1, 'jane@x.org', 5), (2, 'bob@x.org', 5)`,
        ['tenancy: none', 'triggers: [tidy]', tables(CUSTOMERS)],
        async (shop) => {
          await shop.request();
          expect(await shop.run()).toMatchObject(held('unplanned_change'));
          expect(await shop.count('customers')).toBe(2);
        },
      ),
  );
});

describe('hand-written statements on MariaDB that could not be taken back', () => {
  const COUNT = 'SELECT count(*) FROM people WHERE mail = :email';
  const DELETE = 'DELETE FROM people WHERE mail = :email OR id = 2';
  const COPY = 'CREATE TABLE y AS SELECT * FROM people WHERE mail = :email';
  for (const [what, engine, erase, refusal] of [
    ['a table without transactions', 'MyISAM', `"${DELETE}"`, 'people: its engine MyISAM'],
    ['a statement that commits by itself', 'InnoDB', `["${DELETE}", "${COPY}"]`, 'sql.erase[1]: '],
  ] as const) {
    itOn('MariaDB')(`refuses ${what}`, () =>
      withTarget(
        'MariaDB',
        `CREATE TABLE people (id INTEGER PRIMARY KEY, mail VARCHAR(100)) ENGINE = ${engine};
        INSERT INTO people VALUES (1, 'jane@x.org'), (2, 'bob@x.org')`,
        [
          'controllers: [acme]',
          `sql: { preview: "${COUNT}", erase: ${erase}, verify: "${COUNT}" }`,
        ],
        async (shop) => {
          expect(await shop.problems()).not.toEqual([]);
          const request = await shop.request();
          expect(await shop.run()).toMatchObject(refused(refusal));
          expect(await shop.statusOf(request)).toBe('in_progress');
          expect(await shop.count('people')).toBe(2);
        },
      ),
    );
  }
});

describe('a tenant', () => {
  it('cannot be overwritten if a table has a tenant column of its own', async () => {
    const opening = withTarget(
      'SQLite',
      'CREATE TABLE customers (id INTEGER PRIMARY KEY, owner TEXT, email TEXT, name TEXT)',
      [
        'tenant_column: account',
        tables(
          '{ table: customers, tenant_column: owner, match: { email: email }, action: { overwrite: { owner: globex, name: erased } } }',
        ),
      ],
      async () => undefined,
    );
    const error = await opening.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({
      problems: [expect.stringContaining('overwrite.owner: is the tenant column')],
    });
  });

  for (const [written, other] of [
    ['7e3', '7000'],
    ['0x2A', '42'],
    ['0o17', '15'],
  ] as const) {
    it(`written as ${written} is not treated as the number ${other}`, () =>
      withTarget(
        'SQLite',
        `CREATE TABLE customers (id INTEGER PRIMARY KEY, account TEXT NOT NULL, email TEXT);
        INSERT INTO customers VALUES (1, '${written}', 'jane@x.org'), (2, '${other}', 'jane@x.org')`,
        ['tenant_column: account', `tenants: { acme: ${written} }`, tables(CUSTOMERS)],
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.query('SELECT id FROM customers')).toEqual([{ id: 2 }]);
        },
      ));
  }
});
