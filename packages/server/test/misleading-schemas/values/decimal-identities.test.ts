// Numbers by which people are known, in columns that write them in different ways.
import { expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { describeOnEach, itOn, type Kind, tables, withTarget } from '../misled-target.ts';

const number = (value: string) => [new Identity('controller_customer_id', value)];
const TYPES: Record<Kind, readonly string[]> = {
  SQLite: ['DECIMAL(10,2)', 'REAL', 'DOUBLE PRECISION', 'INTEGER'],
  PostgreSQL: ['numeric(10,2)', 'numeric', 'bigint'],
  MariaDB: ['DECIMAL(10,2)', 'DECIMAL(10,0)', 'BIGINT'],
};
const PLAN = tables(
  '{ table: orders, match: { controller_customer_id: customer } }',
  '{ table: letters, match: { controller_customer_id: customer } }',
  '{ table: people, match: { email: email } }',
);
const RESOLVE =
  'resolve: { table: people, from: { email: email }, to: { controller_customer_id: no } }';
const schema = (no: string, customer: string) => `
  CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(80), no ${no});
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer ${customer});
  CREATE TABLE letters (id INTEGER PRIMARY KEY, customer VARCHAR(20));
  INSERT INTO people VALUES (1, 'jane@x.org', 7), (2, 'joe@x.org', 70);
  INSERT INTO orders VALUES (1, 7), (2, 70), (3, 700);
  INSERT INTO letters VALUES (1, '7'), (2, '70'), (3, '07')`;

describeOnEach('a number that columns write differently (%s)', (kind) => {
  itOn(kind)('is looked up in one and found in the other', async () => {
    for (const from of TYPES[kind])
      for (const to of TYPES[kind])
        await withTarget(kind, schema(from, to), ['tenancy: none', RESOLVE, PLAN], async (shop) => {
          const request = await shop.request();
          expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'resolved' }] });
          expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
          expect(await shop.statusOf(request)).toBe('completed');
          const left = [await shop.count('orders'), await shop.count('letters')];
          expect([from, to, ...left]).toEqual([from, to, 2, 2]);
        });
  });

  itOn(kind)('is found by the number that a request names, and by no other', async () => {
    const only = tables('{ table: orders, match: { controller_customer_id: customer } }');
    for (const type of TYPES[kind])
      await withTarget(kind, schema('INTEGER', type), ['tenancy: none', only], async (shop) => {
        await shop.request(number('07'));
        await shop.run();
        expect(await shop.count('orders')).toBe(3);
        await shop.request(number('7'));
        expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
        expect(await shop.count('orders')).toBe(2);
      });
  });
});
