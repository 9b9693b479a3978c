// Properties of a person, one of which is the email: all have the person's number, and the tenant's.
import { expect } from 'vitest';
import { describeOnEach, itOn, tables, withTarget } from '../misled-target.ts';

const PLAN = [
  'tenant_column: account',
  'resolve: { table: people, where: { kind: email }, from: { email: value }, to: { controller_customer_id: uid } }',
  tables(
    '{ table: people, where: { kind: { not: email } }, via: { orders: { uid: uid } }, action: { overwrite: { body: erased } }, shared: erase }',
    '{ table: people, where: { kind: email }, match: { email: value }, shared: erase }',
    '{ table: orders, tenant_column: owner, via: { "people (kind: email)": { uid: uid } }, shared: keep }',
  ),
];

describeOnEach('properties of a person on %s', (kind) => {
  itOn(kind).for([false, true])('are theirs alone (cut off before: %s)', (isCutOff) =>
    withTarget(
      kind,
      `CREATE TABLE people (id INTEGER PRIMARY KEY, account VARCHAR(20), kind VARCHAR(20), value VARCHAR(60), body VARCHAR(60), uid INTEGER);
      CREATE TABLE orders (id INTEGER PRIMARY KEY, owner VARCHAR(20), uid INTEGER NOT NULL);
      INSERT INTO people VALUES (1, 'acme', 'phone', '123', 'body', 2), (2, 'acme', 'email', 'jane@x.org', 'body', 2);
      INSERT INTO orders VALUES (3, 'acme', 2)`,
      PLAN,
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        await shop.request();
        await shop.run();
        if (isCutOff) await shop.failOnce();
        expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
        expect(await shop.count('orders')).toBe(0);
        expect(await shop.count("people WHERE body = 'erased'")).toBe(1);
      },
    ),
  );
});
