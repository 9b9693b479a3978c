// What the evidence says of each row after several attempts: each once, and as it is at the end.
import { expect, it } from 'vitest';
import { Identity } from '../../src/domain/request/identity.ts';
import { describeOnEach, itOn, JANE, tables, withTarget } from './misled-target.ts';

const CUSTOMERS = '{ table: customers, match: { email: email } }';
const MAIL = [
  'tenancy: none',
  tables(
    '{ table: messages, match: { email: [sender, recipient] }, shared: keep }',
    '{ table: invoices, match: { email: email }, action: { retain: tax } }',
    CUSTOMERS,
  ),
];
const mailSchema = (recipient: string) => `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100));
  CREATE TABLE invoices (id INTEGER PRIMARY KEY, email VARCHAR(100));
  CREATE TABLE messages (id INTEGER PRIMARY KEY, sender VARCHAR(100), recipient VARCHAR(100));
  INSERT INTO customers VALUES (1, 'jane@x.org');
  INSERT INTO invoices VALUES (5, 'jane@x.org');
  INSERT INTO messages VALUES (7, 'jane@x.org', '${recipient}')`;

describeOnEach('on %s, the evidence', (kind) => {
  itOn(kind)('does not say kept of a row that a later attempt erased', () =>
    withTarget(kind, mailSchema('bob@x.org'), MAIL, async (shop) => {
      const request = await shop.request();
      await shop.runWithoutSecondLook();
      await shop.query('UPDATE messages SET recipient = NULL');
      await shop.run();
      expect(await shop.count('messages')).toBe(0);
      expect((await shop.evidenceOf(request))?.tables?.messages).toEqual({
        action: 'delete',
        rows: 1,
      });
    }),
  );

  itOn(kind)('does not say kept or retained of rows that are gone by the second look', () =>
    withTarget(kind, mailSchema('bob@x.org'), MAIL, async (shop) => {
      const request = await shop.request();
      await shop.runWithoutSecondLook();
      await shop.query('DELETE FROM invoices');
      await shop.query('DELETE FROM messages');
      await shop.run();
      expect((await shop.evidenceOf(request))?.tables).toEqual({
        customers: { action: 'delete', rows: 1 },
      });
    }),
  );

  itOn(kind)('says kept and retained of rows that later attempts do not find any more', () =>
    withTarget(kind, mailSchema('bob@x.org'), MAIL, async (shop) => {
      const request = await shop.request();
      await shop.runWithoutSecondLook();
      await shop.run();
      expect((await shop.evidenceOf(request))?.tables).toMatchObject({
        messages: { rows: 0, shared_kept: 1 },
        invoices: { action: 'retain', rows: 1 },
        customers: { action: 'delete', rows: 1 },
      });
    }),
  );

  itOn(kind)('does not say kept of a row that another request of the batch erased', () =>
    withTarget(kind, mailSchema('jane@new.org'), MAIL, async (shop) => {
      const one = await shop.request();
      await shop.request([...JANE, new Identity('email', 'jane@new.org')]);
      await shop.run();
      expect(await shop.count('messages')).toBe(0);
      expect((await shop.evidenceOf(one))?.tables?.messages).toBeUndefined();
    }),
  );

  itOn(kind)('counts a row once that was restored and overwritten again, twice', () =>
    withTarget(
      kind,
      `CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER);
      INSERT INTO customers VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
      INSERT INTO orders VALUES (10, 1), (11, 1), (20, 2)`,
      [
        'tenancy: none',
        tables(
          '{ table: orders, via: { customers: { customer_id: id } } }',
          '{ table: customers, match: { email: email }, action: { overwrite: { email: null } } }',
        ),
      ],
      async (shop) => {
        const request = await shop.request();
        const restore = "UPDATE customers SET email = 'jane@x.org' WHERE id = 1";
        await shop.runWithoutSecondLook();
        await shop.query(restore);
        await shop.query('INSERT INTO orders VALUES (12, 1)');
        await shop.runWithoutSecondLook();
        await shop.query(restore);
        await shop.run();
        expect((await shop.evidenceOf(request))?.tables).toEqual({
          orders: { action: 'delete', rows: 3 },
          customers: { action: 'overwrite', rows: 1 },
        });
      },
    ),
  );

  itOn(kind).each(['DATE', kind === 'PostgreSQL' ? 'timestamp(0)' : 'DATETIME'])(
    'counts a row once that an earlier attempt overwrote with the time, in a column of type %s',
    (type) =>
      withTarget(
        kind,
        `CREATE TABLE users (id INTEGER PRIMARY KEY, ext VARCHAR(10), email VARCHAR(100), erased ${type});
      INSERT INTO users VALUES (1, '7', 'jane@x.org', NULL), (2, '7', 'jane@x.org', '2020-01-01')`,
        [
          'tenancy: none',
          tables(
            '{ table: users, match: { controller_customer_id: ext }, action: { overwrite: { email: { hash: true }, erased: { now: true } } } }',
          ),
        ],
        async (shop) => {
          const request = await shop.request([new Identity('controller_customer_id', '7')]);
          await shop.runWithoutSecondLook();
          await shop.query("UPDATE users SET email = 'jane@x.org' WHERE id = 1");
          await shop.query("INSERT INTO users VALUES (3, '7', 'jane@x.org', NULL)");
          await shop.run();
          expect((await shop.evidenceOf(request))?.tables).toEqual({
            users: { action: 'overwrite', rows: 3 },
          });
        },
      ),
  );

  itOn(kind)(
    'is given although a number that was the person’s is another’s by the second look',
    () =>
      withTarget(
        kind,
        `CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100), phone INTEGER UNIQUE);
      CREATE TABLE calls (id INTEGER PRIMARY KEY, phone INTEGER);
      INSERT INTO customers VALUES (1, 'jane@x.org', 100), (2, 'bob@x.org', 300);
      INSERT INTO calls VALUES (10, 100), (30, 300)`,
        [
          'tenancy: none',
          tables('{ table: calls, via: { customers: { phone: phone } } }', CUSTOMERS),
        ],
        async (shop) => {
          const request = await shop.request();
          await shop.runWithoutSecondLook();
          await shop.query('UPDATE customers SET phone = 100 WHERE id = 2');
          await shop.query('INSERT INTO calls VALUES (40, 100)');
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.count('calls')).toBe(2);
        },
      ),
  );

  itOn(kind)(
    'counts a row once that was erased, and whose key another’s row has by the next try',
    () =>
      withTarget(
        kind,
        `CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100));
      INSERT INTO customers VALUES (1, 'jane@x.org')`,
        ['tenancy: none', tables(CUSTOMERS)],
        async (shop) => {
          const request = await shop.request();
          await shop.runWithoutSecondLook();
          await shop.query("INSERT INTO customers VALUES (1, 'bob@x.org')");
          await shop.run();
          expect((await shop.evidenceOf(request))?.tables).toEqual({
            customers: { action: 'delete', rows: 1 },
          });
        },
      ),
  );

  itOn(kind)('counts a row once that went from one entry of its table to another', () =>
    withTarget(
      kind,
      `CREATE TABLE doc (id INTEGER PRIMARY KEY, st VARCHAR(10), email VARCHAR(100));
      INSERT INTO doc VALUES (1, 'draft', 'jane@x.org')`,
      [
        'tenancy: none',
        tables(
          '{ table: doc, where: { st: draft }, match: { email: email } }',
          '{ table: doc, where: { st: final }, match: { email: email } }',
        ),
      ],
      async (shop) => {
        const request = await shop.request();
        await shop.runAfter("UPDATE doc SET st = 'final'");
        expect((await shop.evidenceOf(request))?.tables).toEqual({
          'doc (st: final)': { action: 'delete', rows: 1 },
        });
      },
    ),
  );

  itOn(kind)('does not claim a key that was given to another person of the batch meanwhile', () =>
    withTarget(
      kind,
      `CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100));
      INSERT INTO customers VALUES (1, 'jane@x.org'), (2, 'jane@x.org')`,
      ['tenancy: none', tables(CUSTOMERS)],
      async (shop) => {
        const jane = await shop.request();
        await shop.failOnce();
        await shop.query("UPDATE customers SET email = 'bob@x.org' WHERE id = 1");
        const bob = await shop.request([new Identity('email', 'bob@x.org')]);
        await shop.dieAfterErasing();
        await shop.run();
        const rowsOf = async (request: typeof jane) =>
          (await shop.evidenceOf(request))?.tables?.customers?.rows;
        expect([await rowsOf(jane), await rowsOf(bob)]).toEqual([1, 1]);
      },
    ),
  );
});

it('a request that has no rows any more completes although rows of an earlier attempt belong to somebody else now', () =>
  withTarget(
    'SQLite',
    `CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT);
    INSERT INTO customers VALUES (1, 'jane@x.org')`,
    ['tenancy: none', tables(CUSTOMERS)],
    async (shop) => {
      const request = await shop.request();
      await shop.failOnce();
      await shop.query("UPDATE customers SET email = 'bob@x.org'");
      await shop.run();
      expect(await shop.evidenceOf(request)).toMatchObject({ action: 'not_found', tables: {} });
    },
  ));
