// A lookup (`resolve`) gave an identity, and does not give it any more when rows are to be erased.
import { expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { describeOnEach, held, itOn, type Kind, tables, withTarget } from '../misled-target.ts';

const customer = (value: string) => new Identity('controller_customer_id', value);

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email VARCHAR(50), no VARCHAR(10));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, no VARCHAR(10));
  INSERT INTO crm VALUES (1, 'jane@x.org', '9'), (2, 'bob@x.org', '5');
  INSERT INTO orders VALUES (1, '9'), (2, '5'), (3, '7')`;
const RESOLVE =
  "resolve: { table: crm, from: { email: email }, to: { controller_customer_id: 'no' } }";
const SHOP = [
  'tenancy: none',
  RESOLVE,
  tables(
    "{ table: orders, match: { controller_customer_id: 'no' } }",
    '{ table: crm, match: { email: email } }',
  ),
];
const PREVIEWED = [...SHOP, 'mode: preview'];
const STATEMENTS = [
  'tenancy: none',
  'mode: preview',
  RESOLVE,
  'sql:',
  '  preview: SELECT count(*) FROM orders WHERE no = :controller_customer_id',
  '  erase: DELETE FROM orders WHERE no = :controller_customer_id',
  '  verify: SELECT count(*) FROM orders WHERE no = :controller_customer_id',
];
const ids = (rows: readonly Record<string, unknown>[]) => rows.map(({ id }) => Number(id));
const ORDERS = 'SELECT id FROM orders ORDER BY id';

describeOnEach('an identity that its lookup does not give any more (%s)', (kind) => {
  itOn(kind).each([
    ['corrected', "UPDATE crm SET no = '7' WHERE id = 1", [1, 2]],
    ['given to somebody else', "UPDATE crm SET no = CASE id WHEN 1 THEN '7' ELSE '9' END", [1, 2]],
  ])('is not used once it was %s; a release looks it up anew', async (_, change, left) =>
    withTarget(kind, SCHEMA, PREVIEWED, async (shop) => {
      const request = await shop.request();
      await shop.run();
      expect(await shop.run()).toMatchObject(held('preview_mode'));
      await shop.query(change);
      await shop.release(request);
      expect(await shop.run()).toMatchObject(held('unproven_identity'));
      expect(ids(await shop.query(ORDERS))).toEqual([1, 2, 3]);
      await shop.release(request);
      await shop.run();
      expect(await shop.run()).toMatchObject(held('preview_mode'));
      await shop.release(request);
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(ids(await shop.query(ORDERS))).toEqual(left);
    }),
  );

  itOn(kind)('is dropped by a release where the person has none any more', () =>
    withTarget(kind, SCHEMA, SHOP, async (shop) => {
      const request = await shop.request();
      await shop.run();
      await shop.query('UPDATE crm SET no = NULL WHERE id = 1');
      expect(await shop.run()).toMatchObject(held('unproven_identity'));
      await shop.release(request);
      await shop.run();
      // Found by the email, and there may be orders by a number that is not known.
      expect(await shop.run()).toMatchObject(held('no_usable_identity'));
      expect(ids(await shop.query(ORDERS))).toEqual([1, 2, 3]);
    }),
  );

  itOn(kind)('is used once an operator has added it', () =>
    withTarget(kind, SCHEMA, SHOP, async (shop) => {
      const request = await shop.request();
      await shop.run();
      await shop.query('UPDATE crm SET no = NULL WHERE id = 1');
      expect(await shop.run()).toMatchObject(held('unproven_identity'));
      await shop.identify(request, [customer('9')]);
      await shop.run();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.statusOf(request)).toBe('completed');
      expect(ids(await shop.query(ORDERS))).toEqual([2, 3]);
    }),
  );

  itOn(kind)('is not used where it changed right before the erasing', () =>
    withTarget(kind, SCHEMA, SHOP, async (shop) => {
      const request = await shop.request();
      await shop.run();
      const change = "UPDATE crm SET no = CASE id WHEN 1 THEN '7' ELSE '9' END";
      expect(await shop.runAfter(change)).toMatchObject(held('ambiguous_reference'));
      expect(ids(await shop.query(ORDERS))).toEqual([1, 2, 3]);
      await shop.release(request);
      expect(await shop.run()).toMatchObject(held('unproven_identity'));
      expect(ids(await shop.query(ORDERS))).toEqual([1, 2, 3]);
    }),
  );

  itOn(kind)('is not used by hand-written statements either', () =>
    withTarget(kind, SCHEMA, STATEMENTS, async (shop) => {
      const request = await shop.request();
      await shop.run();
      expect(await shop.run()).toMatchObject(held('preview_mode'));
      await shop.query("UPDATE crm SET no = CASE id WHEN 1 THEN '7' ELSE '9' END");
      await shop.release(request);
      expect(await shop.run()).toMatchObject(held('unproven_identity'));
      expect(await shop.count('orders')).toBe(3);
    }),
  );

  itOn(kind)('is not used by statements where it changed right before them', () =>
    withTarget(kind, SCHEMA, STATEMENTS.toSpliced(1, 1), async (shop) => {
      await shop.request();
      await shop.run();
      expect(await shop.runAfter('UPDATE crm SET no = NULL WHERE id = 1')).toMatchObject(
        held('unproven_identity'),
      );
      expect(await shop.count('orders')).toBe(3);
    }),
  );

  itOn(kind)('of which another has come holds hand-written statements', () =>
    withTarget(kind, SCHEMA, STATEMENTS, async (shop) => {
      const request = await shop.request();
      await shop.run();
      await shop.run();
      await shop.query("INSERT INTO crm VALUES (3, 'jane@x.org', '7')");
      await shop.release(request);
      expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
      expect(await shop.count('orders')).toBe(3);
    }),
  );
});

const yes = (kind: Kind) => (kind === 'PostgreSQL' ? 'true' : '1');
const no = (kind: Kind) => (kind === 'PostgreSQL' ? 'false' : '0');
const ACCOUNTS = (kind: Kind) => `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name VARCHAR(20));
  CREATE TABLE emails (id INTEGER PRIMARY KEY, email VARCHAR(50), user_id INTEGER,
    verified ${kind === 'PostgreSQL' ? 'BOOLEAN' : 'INTEGER'});
  INSERT INTO users VALUES (9, 'mallory'), (2, 'bob');
  INSERT INTO emails VALUES (1, 'jane@x.org', 9, ${yes(kind)}), (2, 'bob@x.org', 2, ${yes(kind)})`;
const ACCOUNTS_PLAN = (kind: Kind) => [
  'tenancy: none',
  `resolve: { table: emails, where: { verified: ${yes(kind)} }, from: { email: email }, to: { controller_customer_id: user_id } }`,
  tables(
    '{ table: emails, via: { users: { user_id: id } } }',
    '{ table: users, match: { controller_customer_id: id } }',
  ),
];

describeOnEach('an account that a verified address led to (%s)', (kind) => {
  itOn(kind).each([
    [
      'the address is not verified any more',
      `UPDATE emails SET verified = ${no(kind)} WHERE id = 1`,
    ],
    ['the address was removed', 'DELETE FROM emails WHERE id = 1'],
    ['the address is another account’s', 'UPDATE emails SET user_id = NULL WHERE id = 1'],
  ])('stays where %s', async (_, change) =>
    withTarget(kind, ACCOUNTS(kind), [...ACCOUNTS_PLAN(kind), 'mode: preview'], async (shop) => {
      const request = await shop.request();
      await shop.run();
      await shop.run();
      await shop.query(change);
      await shop.release(request);
      expect(await shop.run()).toMatchObject(held('unproven_identity'));
      expect(await shop.count('users')).toBe(2);
    }),
  );

  itOn(kind)('stays where the address is given to somebody else before the erasing', () =>
    withTarget(kind, ACCOUNTS(kind), ACCOUNTS_PLAN(kind), async (shop) => {
      await shop.request();
      await shop.run();
      const change = "UPDATE emails SET email = 'mallory@x.org' WHERE id = 1";
      expect(await shop.runAfter(change)).toMatchObject(held('unproven_identity'));
      expect([await shop.count('users'), await shop.count('emails')]).toEqual([2, 2]);
    }),
  );

  itOn(kind).each(['worker died', 'target was down'])(
    'whose number is used again after the %s is not erased, nor counted',
    async (how) =>
      withTarget(kind, ACCOUNTS(kind), ACCOUNTS_PLAN(kind), async (shop) => {
        const request = await shop.request();
        await shop.run();
        if (how === 'worker died') await shop.dieAfterErasing();
        else await shop.runWithoutSecondLook();
        await shop.query("INSERT INTO users VALUES (9, 'carl')");
        await shop.query(`INSERT INTO emails VALUES (3, 'carl@x.org', 9, ${no(kind)})`);
        expect(await shop.run()).toMatchObject(held('unproven_identity'));
        expect([await shop.count('users'), await shop.count('emails')]).toEqual([2, 2]);
        await shop.release(request);
        // It looks up anew first.
        await shop.run();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect([await shop.count('users'), await shop.count('emails')]).toEqual([2, 2]);
        const users = { action: 'delete', rows: 1, unproven: 1 };
        const emails = { action: 'delete', rows: 1, unproven: 1 };
        expect((await shop.evidenceOf(request))?.tables).toEqual({ emails, users });
      }),
  );
});

const MANY = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email VARCHAR(50), no VARCHAR(10));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, no VARCHAR(10));
  INSERT INTO crm VALUES (1, 'jane@x.org', 'n1'), (2, 'jane@x.org', 'n2'), (3, 'jane@x.org', 'n3');
  INSERT INTO orders VALUES (1, 'n1'), (2, 'n2'), (3, 'n3'), (4, 'n4')`;
const limited = (limit: number) =>
  SHOP.map((line) =>
    line === RESOLVE ? RESOLVE.replace('{ table', `{ limit: ${limit}, table`) : line,
  );

describeOnEach('a lookup that finds too many (%s)', (kind) => {
  itOn(kind)('is held until all values of its erased rows are identities of the request', () =>
    withTarget(kind, MANY, limited(2), async (shop) => {
      const request = await shop.request();
      expect(await shop.run()).toMatchObject(held('too_many_resolved'));
      await shop.identify(request, [customer('n1'), customer('n2')]);
      await shop.release(request);
      expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
      expect([await shop.count('crm'), await shop.count('orders')]).toEqual([3, 4]);
      await shop.identify(request, [customer('n3')]);
      expect(await shop.run()).toMatchObject(held('too_many_resolved'));
      await shop.release(request);
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect([await shop.count('crm'), await shop.count('orders')]).toEqual([0, 1]);
    }),
  );

  itOn(kind)('is looked up again by a release, with a higher limit', () =>
    withTarget(kind, MANY, limited(2), async (shop) => {
      const request = await shop.request();
      await shop.run();
      await shop.release(request);
      expect(await shop.run()).toMatchObject(held('too_many_resolved'));
      shop.configure(limited(3));
      await shop.release(request);
      await shop.run();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect([await shop.count('crm'), await shop.count('orders')]).toEqual([0, 1]);
    }),
  );
});
