// What a lookup (`resolve`) found when the request started may not hold when the rows are erased.
import { expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { describeOnEach, held, itOn, tables, withTarget } from '../misled-target.ts';

const RESOLVE =
  'resolve: { table: customers, from: { email: email }, to: { controller_customer_id: ext } }';
const ORDERS = '{ table: orders, match: { controller_customer_id: ext } }';
const CUSTOMERS = '{ table: customers, match: { email: email } }';
const schema = (email: string) => `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100), ext VARCHAR(20) UNIQUE);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, ext VARCHAR(20));
  INSERT INTO customers VALUES (1, '${email}', '9'), (2, 'bob@x.org', NULL);
  INSERT INTO orders VALUES (90, '9')`;
const SHOP = ['tenancy: none', RESOLVE, tables(ORDERS, CUSTOMERS)];

describeOnEach('a lookup on %s', (kind) => {
  itOn(kind)('that finds less than the plan does is no proof that nothing is there', () =>
    withTarget(
      kind,
      schema(' jane@x.org'),
      [
        'tenancy: none',
        RESOLVE,
        tables(ORDERS, '{ table: customers, match: { email: { column: email, trim: true } } }'),
      ],
      async (shop) => {
        await shop.request();
        await shop.run();
        expect(await shop.run()).toMatchObject(held('no_usable_identity'));
        expect(await shop.count('customers')).toBe(2);
      },
    ),
  );

  itOn(kind)('that would find more by now holds the request, until the rest is added', () =>
    withTarget(kind, schema('jane@x.org'), SHOP, async (shop) => {
      const request = await shop.request();
      await shop.run();
      await shop.query("INSERT INTO customers VALUES (3, 'jane@x.org', '8')");
      await shop.query("INSERT INTO orders VALUES (80, '8')");
      expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
      await shop.identify(request, [new Identity('controller_customer_id', '8')]);
      await shop.run();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect([await shop.count('customers'), await shop.count('orders')]).toEqual([1, 0]);
      // There is no other task left of the one that was held.
      expect(await shop.statusOf(request)).toBe('completed');
    }),
  );

  itOn(kind)('whose answer is somebody else’s by now harms nobody', () =>
    withTarget(kind, schema('jane@x.org'), [...SHOP, 'mode: preview'], async (shop) => {
      const request = await shop.request();
      await shop.run();
      expect(await shop.run()).toMatchObject(held('preview_mode'));
      await shop.query('UPDATE customers SET ext = NULL WHERE id = 1');
      await shop.query("UPDATE customers SET ext = '9' WHERE id = 2");
      await shop.release(request);
      expect(await shop.run()).toMatchObject(held('unproven_identity'));
      expect(await shop.count('orders')).toBe(1);
    }),
  );

  itOn(kind)('whose rows are erased is not missed by the next attempt', () =>
    withTarget(kind, schema('jane@x.org'), SHOP, async (shop) => {
      const request = await shop.request();
      await shop.run();
      await shop.runWithoutSecondLook();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect((await shop.evidenceOf(request))?.tables).toEqual({
        customers: { action: 'delete', rows: 1 },
        orders: { action: 'delete', rows: 1 },
      });
    }),
  );
});

const PROPERTIES = `
  CREATE TABLE users (uid VARCHAR(20) PRIMARY KEY, name VARCHAR(20));
  CREATE TABLE props (id INTEGER PRIMARY KEY, uid VARCHAR(20), name VARCHAR(20), value VARCHAR(50));
  INSERT INTO users VALUES ('jane', 'Jane'), ('bob', 'Bob');
  INSERT INTO props VALUES (1, 'jane', 'email', 'jane@x.org'), (2, 'bob', 'email', 'bob@x.org'),
                           (3, 'bob', 'recommended_by', 'jane@x.org')`;
const resolveWith = (where: string) => [
  'tenancy: none',
  `resolve: { table: props,${where} from: { email: value }, to: { controller_customer_id: uid } }`,
  tables(
    '{ table: props, where: { name: email }, via: { users: { uid: uid } } }',
    '{ table: props, where: { name: { not: email } }, via: { users: { uid: uid } } }',
    '{ table: users, match: { controller_customer_id: uid } }',
  ),
];

describeOnEach('a lookup in a table of properties (%s)', (kind) => {
  itOn(kind)('takes no other property for the email where it says which is meant', () =>
    withTarget(kind, PROPERTIES, resolveWith(' where: { name: email },'), async (shop) => {
      expect(await shop.problems()).toEqual([]);
      expect((await shop.warnings()).filter((line) => line.includes('"resolve"'))).toEqual([]);
      const request = await shop.request();
      await shop.run();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query('SELECT uid FROM users')).toEqual([{ uid: 'bob' }]);
      expect(await shop.query('SELECT id FROM props ORDER BY id')).toEqual([{ id: 2 }, { id: 3 }]);
    }),
  );

  itOn(kind)('is warned of where it does not', () =>
    withTarget(kind, PROPERTIES, resolveWith(''), async (shop) => {
      expect(await shop.warnings()).toContainEqual(
        expect.stringContaining('where: { name: … } in "resolve"'),
      );
    }),
  );

  itOn(kind)('is refused where its column is not there, or cannot hold the value', () =>
    withTarget(kind, PROPERTIES, resolveWith(' where: { kind: email, id: x },'), async (shop) => {
      expect((await shop.problems()).join()).toMatch(/kind/);
    }),
  );
});
