// What every SQL connector must do, whatever the database. A connector passes when describeSqlConnector does.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connector } from '../../src/domain/target/connector.ts';
import type { SqlTargetConfig } from '../../src/domain/target/target.ts';
import type { SqlDatabaseKind, SqlTestDatabase } from '../connectors/sql/sql-databases.ts';
import {
  ACME,
  aSubject,
  aTable,
  aTarget,
  connect,
  customerId,
  email,
  GLOBEX,
  GONE,
  isFound,
  passThrough,
  tablesWork,
  toOrder,
} from '../connectors/sql/sql-target.ts';
import { eraseFound, orderAll } from '../helpers/erase-found.ts';

const SHOP = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, tenant VARCHAR(40), email VARCHAR(200), no VARCHAR(40), name VARCHAR(80));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, total INTEGER);
  CREATE TABLE order_lines (order_id INTEGER NOT NULL, line INTEGER NOT NULL, what VARCHAR(40), PRIMARY KEY (order_id, line));
  INSERT INTO customers VALUES (1, 'acme', 'jane@example.com', 'c-1', 'Jane'), (2, 'acme', 'joe@example.com', 'c-2', 'Joe'), (3, 'globex', 'jane@example.com', 'c-1', 'Jane');
  INSERT INTO orders VALUES (11, 1, 5), (12, 1, 6), (21, 2, 7), (31, 3, 8), (99, NULL, 9);
  INSERT INTO order_lines VALUES (11, 1, 'a'), (11, 2, 'b'), (12, 1, 'c'), (21, 1, 'd'), (31, 1, 'e')`;

const ORDERS = aTable('orders', { via: [{ parent: 'customers', columns: { customer_id: 'id' } }] });
const LINES = aTable('order_lines', { via: [{ parent: 'orders', columns: { order_id: 'id' } }] });
const CUSTOMERS = aTable('customers', {
  match: { email: 'email', controller_customer_id: 'no' },
});
const SHOP_WORK = tablesWork([LINES, ORDERS, CUSTOMERS]);
const BY_TENANT: Partial<SqlTargetConfig> = {
  tenancy: { way: 'column', column: 'tenant', values: {} },
};

export function describeSqlConnector(kind: SqlDatabaseKind, isThere: boolean): void {
  describe.skipIf(!isThere)(`a ${kind.name} target`, () => {
    let database: SqlTestDatabase;
    let opened: Connector[] = [];

    beforeEach(async () => {
      database = await kind.open();
    });
    afterEach(async () => {
      for (const connector of opened) await connector.close();
      opened = [];
      await database.close();
    });

    function open(work: SqlTargetConfig['work'], changes: Partial<SqlTargetConfig> = {}) {
      const connector = connect(aTarget(database, work, changes));
      opened.push(connector);
      return connector;
    }

    async function idsOf(table: string): Promise<number[]> {
      const rows = await database.query(`SELECT id FROM ${table} ORDER BY id`);
      return rows.map(({ id }) => Number(id));
    }

    const count = async (table: string) =>
      Number((await database.query(`SELECT count(*) AS n FROM ${table}`))[0]?.n);

    it('erases a person through a chain of tables, and no other person', async () => {
      await database.query(SHOP);
      const connector = open(SHOP_WORK, BY_TENANT);
      const passage = await passThrough(connector, [aSubject(1, [email('Jane@Example.com')])]);
      const counts = { customers: 1, orders: 2, order_lines: 3 };
      expect(passage.previews[0]).toMatchObject({ outcome: 'found', counts, retained: {} });
      expect(passage.erasures).toEqual([{ outcome: 'erased', counts }]);
      expect(passage.verdicts).toEqual([GONE]);
      expect(await idsOf('customers')).toEqual([2, 3]);
      expect(await idsOf('orders')).toEqual([21, 31, 99]);
      expect(await count('order_lines')).toBe(2);
    });

    it("leaves a neighbour's rows with the same email in the other tenant", async () => {
      await database.query(SHOP);
      const connector = open(SHOP_WORK, {
        tenancy: { way: 'column', column: 'tenant', values: { [GLOBEX]: 'globex' } },
      });
      const subjects = [
        aSubject(1, [customerId('c-1')], GLOBEX),
        aSubject(2, [email('nobody@example.com')], ACME),
      ];
      const passage = await passThrough(connector, subjects);
      expect(passage.verdicts).toEqual([GONE, GONE]);
      expect(isFound(passage.previews[1])).toMatchObject({ counts: {}, keys: {} });
      expect(await idsOf('customers')).toEqual([1, 2]);
    });

    it('finds nothing for a controller that the database does not belong to', async () => {
      await database.query(SHOP);
      const connector = open(SHOP_WORK, { tenancy: { way: 'controller', controllerId: GLOBEX } });
      const [other, own] = await connector.preview([
        aSubject(1, [email('joe@example.com')], ACME),
        aSubject(2, [email('joe@example.com')], GLOBEX),
      ]);
      expect(other).toEqual({ outcome: 'unmatched' });
      expect(isFound(own).counts).toMatchObject({ customers: 1 });
    });

    it('finds both if tenants are not distinguished', async () => {
      await database.query(SHOP);
      const [preview] = await open(SHOP_WORK).preview([aSubject(1, [customerId('c-1')])]);
      expect(isFound(preview).counts).toEqual({ customers: 2, orders: 3, order_lines: 4 });
    });

    it('reports that a request has no identity that a table can be matched by', async () => {
      await database.query(SHOP);
      const connector = open(
        tablesWork([aTable('customers', { match: { controller_customer_id: 'no' } })]),
      );
      const previews = await connector.preview([
        aSubject(1, [email('jane@example.com')]),
        aSubject(2, [customerId('c-2')]),
      ]);
      expect(previews.map(({ outcome }) => outcome)).toEqual(['unmatched', 'found']);
    });

    it('counts a row of two requests for the older one, and reports it to the younger', async () => {
      await database.query(SHOP);
      const connector = open(SHOP_WORK, BY_TENANT);
      const younger = aSubject(8, [email('jane@example.com'), email('joe@example.com')]);
      const older = aSubject(7, [customerId('c-1')]);
      const [first, second] = await connector.preview([younger, older]);
      expect(isFound(second)).toMatchObject({
        counts: { customers: 1, orders: 2 },
        sharedWith: [],
      });
      expect(isFound(first)).toMatchObject({
        counts: { customers: 1, orders: 1, order_lines: 1 },
        sharedWith: [7],
      });
      const { erasures, verdicts } = await passThrough(connector, [younger, older]);
      expect(erasures).toEqual([
        { outcome: 'erased', counts: { customers: 1, orders: 1, order_lines: 1 } },
        { outcome: 'erased', counts: isFound(second).counts },
      ]);
      expect(verdicts).toEqual([GONE, GONE]);
    });

    it('finds rows anew for the younger request if the older one may not be erased', async () => {
      await database.query(SHOP);
      const connector = open(SHOP_WORK, BY_TENANT);
      const older = aSubject(7, [customerId('c-1')]);
      const younger = aSubject(8, [email('jane@example.com'), email('joe@example.com')]);
      const asked: number[][] = [];
      const erasures = await connector.erase([older, younger], {
        decide(subjects, previews) {
          asked.push(subjects.map(({ taskNo }) => taskNo));
          return orderAll(subjects, previews).filter(({ taskNo }) => taskNo === 8);
        },
        record: async () => true,
      });
      expect(asked).toEqual([[7, 8], [8]]);
      expect(erasures).toMatchObject([
        { outcome: 'left_out' },
        { outcome: 'erased', counts: { customers: 2 } },
      ]);
      expect(await idsOf('customers')).toEqual([3]);
    });

    it('overwrites by NULL, a constant or a hash, and does so once', async () => {
      await database.query(SHOP);
      const connector = open(
        tablesWork([
          aTable('customers', {
            match: { controller_customer_id: 'no' },
            action: {
              kind: 'overwrite',
              columns: {
                email: { kind: 'hash' },
                name: { kind: 'value', value: 'erased' },
                tenant: { kind: 'null' },
              },
            },
          }),
        ]),
      );
      const subject = aSubject(1, [customerId('c-2')]);
      const { orders, erasures, verdicts } = await passThrough(connector, [subject]);
      expect(erasures).toEqual([{ outcome: 'erased', counts: { customers: 1 } }]);
      expect(verdicts).toEqual([GONE]);
      const read = () => database.query('SELECT * FROM customers WHERE id = 2');
      const [row] = await read();
      expect(row).toMatchObject({
        tenant: null,
        email: expect.stringMatching(/^uw1:[0-9a-z]{24}$/),
        name: 'erased',
      });
      expect(await eraseFound(connector, [subject])).toEqual([{ outcome: 'erased', counts: {} }]);
      expect(await read()).toEqual([row]);
      await database.query("UPDATE customers SET name = 'Erased' WHERE id = 2");
      expect(await connector.verify(orders)).toEqual([
        { outcome: 'remains', counts: { customers: 1 } },
      ]);
    });

    it('counts retained rows without changing them, and erases rows that refer to them', async () => {
      await database.query(SHOP);
      const retained = { ...CUSTOMERS, action: { kind: 'retain', reason: 'tax law' } as const };
      const connector = open(tablesWork([LINES, ORDERS, retained]), BY_TENANT);
      const passage = await passThrough(connector, [aSubject(1, [email('joe@example.com')])]);
      expect(isFound(passage.previews[0])).toMatchObject({
        counts: { orders: 1, order_lines: 1 },
        retained: { customers: 1 },
      });
      expect(passage.verdicts).toEqual([GONE]);
      expect(await idsOf('customers')).toEqual([1, 2, 3]);
      expect(await idsOf('orders')).toEqual([11, 12, 31, 99]);
    });

    it('counts retained rows of a table without a key when it verifies', async () => {
      await database.query(`CREATE TABLE logins (email VARCHAR(200), day INTEGER);
        INSERT INTO logins VALUES ('joe@example.com', 1), ('joe@example.com', 1), ('jane@example.com', 1)`);
      const retained = { kind: 'retain', reason: 'fraud' } as const;
      const connector = open(
        tablesWork([aTable('logins', { match: { email: 'email' }, action: retained })]),
      );
      const passage = await passThrough(connector, [aSubject(1, [email('joe@example.com')])]);
      expect(passage.verdicts).toMatchObject([{ ...GONE, unnamedRetained: { logins: 2 } }]);
    });

    it('finds an identity with blanks around it, and one inside JSON', async () => {
      const json = kind.connector === 'sqlite' ? 'TEXT' : 'json';
      await database.query(`CREATE TABLE people (id INTEGER PRIMARY KEY, mail VARCHAR(200), data ${json});
        INSERT INTO people VALUES (1, ' joe@example.com ', '{}'), (2, NULL, '{"mail": "joe@example.com"}'), (3, 'x joe@example.com', '["joe@example.com"]')`);
      const match = [
        { type: 'email', column: 'mail', trim: true },
        { type: 'email', column: 'data', path: ['mail'] },
      ] as const;
      await passThrough(open(tablesWork([aTable('people', { match })])), [
        aSubject(1, [email('joe@example.com')]),
      ]);
      expect(await idsOf('people')).toEqual([3]);
    });

    it('says that a row refers to a deleted one again, although it was detached', async () => {
      await database.query(`CREATE TABLE staff (id INTEGER PRIMARY KEY, email VARCHAR(200), boss INTEGER,
          FOREIGN KEY (boss) REFERENCES staff (id));
        INSERT INTO staff VALUES (1, 'jane@example.com', NULL), (2, 'joe@example.com', 1)`);
      const detach = [{ table: 'staff', column: 'boss' }];
      const connector = open(
        tablesWork([aTable('staff', { match: { email: 'email' } })], { detach }),
      );
      const { orders, verdicts } = await passThrough(connector, [
        aSubject(1, [email('jane@example.com')]),
      ]);
      expect(verdicts).toEqual([GONE]);
      const unchecked = {
        sqlite: 'PRAGMA foreign_keys = OFF',
        postgres: 'SET session_replication_role = replica',
        mysql: 'SET foreign_key_checks = 0',
      }[kind.connector];
      await database.query(`${unchecked}; UPDATE staff SET boss = 1 WHERE id = 2`);
      expect(await connector.verify(orders)).toEqual([
        { outcome: 'remains', counts: { staff: 1 } },
      ]);
    });

    it('erases nothing where the rows are gone, and records nothing', async () => {
      await database.query(SHOP);
      const connector = open(SHOP_WORK, BY_TENANT);
      const joe = aSubject(1, [email('joe@example.com')]);
      const { orders } = await passThrough(connector, [joe]);
      const never = () => Promise.reject(new Error('recorded'));
      expect(await eraseFound(connector, [joe], never)).toEqual([
        { outcome: 'erased', counts: {} },
      ]);
      expect(await connector.verify(orders)).toEqual([GONE]);
    });

    it('says what remains, and leaves children of a row that is gone to a person', async () => {
      await database.query(SHOP);
      const connector = open(SHOP_WORK, BY_TENANT);
      const subject = aSubject(1, [email('joe@example.com')]);
      const order = toOrder(subject, (await connector.preview([subject]))[0]);
      expect(await connector.verify([order])).toEqual([
        { outcome: 'remains', counts: { customers: 1, orders: 1, order_lines: 1 } },
      ]);
      await database.query('DELETE FROM customers WHERE id = 2');
      await database.query('DELETE FROM orders WHERE id = 21');
      await database.query('INSERT INTO orders VALUES (22, 2, 1)');
      await database.query('INSERT INTO order_lines VALUES (22, 1, NULL)');
      expect(await connector.verify([order])).toMatchObject([
        { outcome: 'held', reason: 'orphaned', detail: expect.stringContaining('order') },
      ]);
    });

    it('leaves rows that were assigned to somebody else since the preview, and rows below them', async () => {
      await database.query(SHOP);
      const connector = open(SHOP_WORK, BY_TENANT);
      const subject = aSubject(1, [email('joe@example.com')]);
      const { erasures, verdicts } = await passThrough(connector, [subject], async () => {
        await database.query("UPDATE customers SET email = 'ann@example.com' WHERE id = 2");
      });
      expect(erasures).toEqual([{ outcome: 'erased', counts: {} }]);
      expect(verdicts).toEqual([GONE]);
      expect(await idsOf('customers')).toEqual([1, 2, 3]);
      expect(await count('order_lines')).toBe(5);
    });

    it('holds one request whose row is referred to from elsewhere, and erases the others', async () => {
      await database.query(SHOP);
      await database.query(`
        CREATE TABLE loans (id INTEGER PRIMARY KEY, customer_id INTEGER, FOREIGN KEY (customer_id) REFERENCES customers (id));
        INSERT INTO loans VALUES (1, 2)`);
      const connector = open(SHOP_WORK);
      const subjects = [
        aSubject(1, [email('nobody@example.com')]),
        aSubject(2, [email('joe@example.com')]),
        aSubject(3, [email('jane@example.com')]),
      ];
      const { erasures, verdicts } = await passThrough(connector, subjects);
      expect(erasures.map(({ outcome }) => outcome)).toEqual(['erased', 'held', 'erased']);
      expect(erasures[1]).toMatchObject({ reason: 'unplanned_change' });
      expect(verdicts.map(({ outcome }) => outcome)).toEqual(['gone', 'remains', 'gone']);
      expect(await idsOf('customers')).toEqual([2]);
      expect(await idsOf('orders')).toEqual([21, 99]);
    });

    it('refuses to work if a cascade reaches a table that is not declared', async () => {
      await database.query(SHOP);
      await database.query(`
        CREATE TABLE notes (id INTEGER PRIMARY KEY, customer_id INTEGER, FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE);
        INSERT INTO notes VALUES (1, 2)`);
      const subjects = [aSubject(1, [email('joe@example.com')]), aSubject(2, [customerId('c-1')])];
      await expect(passThrough(open(SHOP_WORK), subjects)).rejects.toMatchObject({
        code: 'target_refused',
        message: expect.stringContaining('notes'),
      });
      expect(await idsOf('customers')).toEqual([1, 2, 3]);
    });

    it('erases, counts and verifies a listed table that a cascade reaches', async () => {
      await database.query(SHOP);
      await database.query(`
        CREATE TABLE notes (id INTEGER PRIMARY KEY, customer_id INTEGER, FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE);
        CREATE TABLE calls (id INTEGER PRIMARY KEY, customer_id INTEGER, FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE SET NULL);
        INSERT INTO notes VALUES (1, 2), (2, 2), (3, 1);
        INSERT INTO calls VALUES (1, 2), (2, 1)`);
      const work = tablesWork([LINES, ORDERS, CUSTOMERS], { cascades: ['notes', 'calls'] });
      const counts = { customers: 1, orders: 1, order_lines: 1, notes: 2 };
      const detached = { calls: 1 };
      const { previews, erasures, verdicts } = await passThrough(open(work, BY_TENANT), [
        aSubject(1, [email('joe@example.com')]),
      ]);
      expect(isFound(previews[0])).toMatchObject({ counts, detached });
      expect(erasures).toEqual([
        { outcome: 'erased', counts, detached, detachedRows: expect.any(Array) },
      ]);
      expect(verdicts).toEqual([GONE]);
      expect(await idsOf('notes')).toEqual([3]);
      expect(await database.query('SELECT customer_id FROM calls ORDER BY id')).toEqual([
        { customer_id: null },
        { customer_id: 1 },
      ]);
    });

    it('erases a row that came since the preview, and that a cascade would take along', async () => {
      await database.query(`
        CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200));
        CREATE TABLE notes (id INTEGER PRIMARY KEY, person INTEGER, FOREIGN KEY (person) REFERENCES people (id) ON DELETE CASCADE);
        INSERT INTO people VALUES (1, 'jane@example.com'), (2, 'joe@example.com');
        INSERT INTO notes VALUES (1, 1), (2, 2)`);
      const connector = open(
        tablesWork([
          aTable('notes', { via: [{ parent: 'people', columns: { person: 'id' } }] }),
          aTable('people', { match: { email: 'email' } }),
        ]),
      );
      const subjects = [
        aSubject(1, [email('jane@example.com')]),
        aSubject(2, [email('joe@example.com')]),
      ];
      const { erasures } = await passThrough(connector, subjects, async () => {
        await database.query('INSERT INTO notes VALUES (3, 1)');
      });
      expect(erasures).toEqual([
        { outcome: 'erased', counts: { people: 1, notes: 2 } },
        { outcome: 'erased', counts: { people: 1, notes: 1 } },
      ]);
      expect(await idsOf('notes')).toEqual([]);
    });

    it('refuses to work if a cascade would delete what the target declares to retain', async () => {
      await database.query(`
        CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200));
        CREATE TABLE bills (id INTEGER PRIMARY KEY, person INTEGER, FOREIGN KEY (person) REFERENCES people (id) ON DELETE CASCADE);
        INSERT INTO people VALUES (1, 'jane@example.com');
        INSERT INTO bills VALUES (1, 1)`);
      const connector = open(
        tablesWork([
          aTable('bills', {
            via: [{ parent: 'people', columns: { person: 'id' } }],
            action: { kind: 'retain', reason: 'tax law' },
          }),
          aTable('people', { match: { email: 'email' } }),
        ]),
      );
      await expect(
        passThrough(connector, [aSubject(1, [email('jane@example.com')])]),
      ).rejects.toMatchObject({ code: 'target_refused' });
      expect(await idsOf('bills')).toEqual([1]);
    });

    it('holds the request if a foreign key reaches other rows than the declared reference', async () => {
      await database.query(`
        CREATE TABLE people (id INTEGER PRIMARY KEY, no INTEGER, email VARCHAR(200));
        CREATE TABLE notes (id INTEGER PRIMARY KEY, person INTEGER, person_no INTEGER, FOREIGN KEY (person) REFERENCES people (id) ON DELETE CASCADE);
        INSERT INTO people VALUES (1, 71, 'jane@example.com'), (2, 72, 'joe@example.com');
        INSERT INTO notes VALUES (1, 1, 71), (2, 1, 72), (3, NULL, 72)`);
      const connector = open(
        tablesWork([
          aTable('notes', { via: [{ parent: 'people', columns: { person_no: 'no' } }] }),
          aTable('people', { match: { email: 'email' } }),
        ]),
      );
      const subject = aSubject(1, [email('jane@example.com')]);
      expect(await connector.preview([subject])).toMatchObject([
        { outcome: 'held', reason: 'unplanned_change' },
      ]);
    });

    it('erases a row that came since the preview, and that a foreign key protects', async () => {
      await database.query(`
        CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200));
        CREATE TABLE notes (id INTEGER PRIMARY KEY, person INTEGER, FOREIGN KEY (person) REFERENCES people (id));
        INSERT INTO people VALUES (1, 'jane@example.com');
        INSERT INTO notes VALUES (1, 1)`);
      const connector = open(
        tablesWork([
          aTable('notes', { via: [{ parent: 'people', columns: { person: 'id' } }] }),
          aTable('people', { match: { email: 'email' } }),
        ]),
      );
      const { erasures } = await passThrough(
        connector,
        [aSubject(1, [email('jane@example.com')])],
        async () => void (await database.query('INSERT INTO notes VALUES (2, 1)')),
      );
      expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 1, notes: 2 } }]);
      expect(await idsOf('notes')).toEqual([]);
    });

    it('fails only the request whose row somebody else holds', async () => {
      await database.query(SHOP);
      const connector = open(SHOP_WORK, { ...BY_TENANT, lockTimeout: 300 });
      const subjects = [
        aSubject(1, [email('jane@example.com')]),
        aSubject(2, [email('joe@example.com')]),
      ];
      let release = async () => {};
      const { erasures } = await passThrough(connector, subjects, async () => {
        release = await database.disturb('UPDATE customers SET name = name WHERE id = 2');
      });
      await release();
      // SQLite locks the whole file.
      const expected =
        database.connector === 'sqlite' ? ['failed', 'failed'] : ['erased', 'failed'];
      expect(erasures.map(({ outcome }) => outcome)).toEqual(expected);
      expect(erasures[1]).toMatchObject({ code: 'lock_timeout' });
    });

    it('keys rows by bytes, and by several columns', async () => {
      const bytes = { postgres: 'BYTEA', mysql: 'BINARY(16)', sqlite: 'BLOB' }[kind.connector];
      const hex = { postgres: "'\\x", mysql: "X'", sqlite: "X'" }[kind.connector];
      const id = (last: string) => `${hex}00112233445566778899aabbccddee${last}'`;
      await database.query(`
        CREATE TABLE people (id ${bytes} PRIMARY KEY, email VARCHAR(200));
        CREATE TABLE visits (person ${bytes} NOT NULL, day VARCHAR(10) NOT NULL, PRIMARY KEY (person, day));
        INSERT INTO people VALUES (${id('ff')}, 'jane@example.com'), (${id('fe')}, 'joe@example.com');
        INSERT INTO visits VALUES (${id('ff')}, 'mon'), (${id('ff')}, 'tue'), (${id('fe')}, 'mon')`);
      const connector = open(
        tablesWork([
          aTable('visits', { via: [{ parent: 'people', columns: { person: 'id' } }] }),
          aTable('people', { match: { email: 'email' } }),
        ]),
      );
      const { erasures, verdicts } = await passThrough(connector, [
        aSubject(1, [email('jane@example.com')]),
      ]);
      expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 1, visits: 2 } }]);
      expect(verdicts).toEqual([GONE]);
      expect(await count('visits')).toBe(1);
    });

    it('holds a request whose child refers to it in other words, and erases the others', async () => {
      // Equal to the database, and not the same: nobody knows whether it was meant.
      const [type, parent, child] = {
        postgres: ['VARCHAR(20) COLLATE any_case', "'abc'", "'ABC'"],
        mysql: ['VARCHAR(20)', "'abc'", "'ABC'"],
        sqlite: ['VARCHAR(20) COLLATE NOCASE', "'abc'", "'ABC'"],
      }[kind.connector];
      if (kind.connector === 'postgres')
        await database.query(
          "CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
        );
      await database.query(`
        CREATE TABLE people (id ${type} PRIMARY KEY, email VARCHAR(200));
        CREATE TABLE notes (id INTEGER PRIMARY KEY, person ${type});
        INSERT INTO people VALUES (${parent}, 'jane@example.com'), ('8', 'joe@example.com'), ('9', 'ann@example.com');
        INSERT INTO notes VALUES (1, ${child}), (2, '8')`);
      const connector = open(
        tablesWork([
          aTable('notes', { via: [{ parent: 'people', columns: { person: 'id' } }] }),
          aTable('people', { match: { email: 'email' } }),
        ]),
      );
      const previews = await connector.preview([
        aSubject(1, [email('joe@example.com')]),
        aSubject(2, [email('jane@example.com')]),
        aSubject(3, [email('ann@example.com')]),
      ]);
      expect(previews[1]).toMatchObject({ outcome: 'held', reason: 'ambiguous_reference' });
      expect(isFound(previews[0]).counts).toEqual({ people: 1, notes: 1 });
      expect(isFound(previews[2]).counts).toEqual({ people: 1 });
    });

    it('separates rows of two requests in a batch that is searched in two halves', async () => {
      await database.query(SHOP);
      const strangers = Array.from({ length: 150 }, (_, n) =>
        aSubject(100 + n, [email(`stranger${n}@example.com`)]),
      );
      const connector = open(SHOP_WORK, BY_TENANT);
      const previews = await connector.preview([
        aSubject(2, [email('joe@example.com')]),
        ...strangers,
        aSubject(1, [customerId('c-2')]),
      ]);
      expect(isFound(previews[0])).toMatchObject({ counts: {}, keys: {}, sharedWith: [1] });
      expect(isFound(previews.at(-1)).counts).toEqual({ customers: 1, orders: 1, order_lines: 1 });
    });

    it('follows references of several columns next to an identity', async () => {
      await database.query(`
        CREATE TABLE people (id INTEGER PRIMARY KEY, region INTEGER, no INTEGER, email VARCHAR(200));
        CREATE TABLE posts (id INTEGER PRIMARY KEY, region INTEGER, no INTEGER, author VARCHAR(200));
        CREATE UNIQUE INDEX people_no ON people (region, no);
        INSERT INTO people VALUES (1, 1, 7, 'jane@example.com'), (2, 2, 7, 'joe@example.com');
        INSERT INTO posts VALUES (1, 1, 7, NULL), (2, 2, 7, NULL), (5, NULL, 9, 'JANE@example.com'), (6, 1, NULL, NULL)`);
      const connector = open(
        tablesWork([
          aTable('posts', {
            match: { email: 'author' },
            via: [{ parent: 'people', columns: { region: 'region', no: 'no' } }],
          }),
          aTable('people', { match: { email: 'email' } }),
        ]),
      );
      const { erasures } = await passThrough(connector, [aSubject(1, [email('jane@example.com')])]);
      expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 1, posts: 2 } }]);
      expect(await idsOf('posts')).toEqual([2, 6]);
    });

    it('erases a batch of hundreds, with more rows than one statement names', async () => {
      await database.query(SHOP);
      const numbers = Array.from({ length: 150 }, (_, n) => 1000 + n);
      const people = numbers.map((n) => `(${n}, 'acme', 'p${n}@example.com', 'p-${n}', NULL)`);
      await database.query(`INSERT INTO customers VALUES ${people.join(', ')}`);
      const orders = numbers.flatMap((n) =>
        Array.from({ length: 20 }, (_, m) => `(${n * 100 + m}, ${n}, 1)`),
      );
      await database.query(`INSERT INTO orders VALUES ${orders.join(', ')}`);
      const subjects = numbers.map((n) => aSubject(n, [email(`P${n}@example.com`)]));
      const { erasures, verdicts } = await passThrough(open(SHOP_WORK, BY_TENANT), subjects);
      for (const erasure of erasures)
        expect(erasure).toEqual({ outcome: 'erased', counts: { customers: 1, orders: 20 } });
      expect(new Set(verdicts.map(({ outcome }) => outcome))).toEqual(new Set(['gone']));
      expect(await count('orders')).toBe(5);
    });

    it('stops the whole target if the plan does not fit the schema', async () => {
      await database.query(SHOP);
      const subject = aSubject(1, [email('jane@example.com')]);
      const missing = open(tablesWork([aTable('nowhere', { match: { email: 'email' } })]));
      await expect(missing.preview([subject])).rejects.toMatchObject({
        name: 'TargetDown',
        code: 'target_refused',
        message: expect.stringContaining('nowhere'),
      });
      const misnamed = open(tablesWork([aTable('customers', { match: { email: 'mail' } })]));
      await expect(misnamed.preview([subject])).rejects.toMatchObject({ code: 'target_refused' });
    });
  });
}
