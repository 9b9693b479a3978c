// A value is corrected while the row is erased that gives it, by another target of the same database than the one that looks up.
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { describeOnEach, itOn } from '../../misleading-schemas/misled-target.ts';
import { type LookupsOn, withLookups } from './lookup-world.ts';

/** 9 is Carl's, 7 is Jane's. */
const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email VARCHAR(50), no VARCHAR(10));
  CREATE TABLE notes (id INTEGER PRIMARY KEY, crm_id INTEGER);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer VARCHAR(50));
  INSERT INTO crm VALUES (1, 'jane@x.org', '9');
  INSERT INTO notes VALUES (1, 1);
  INSERT INTO orders VALUES (1, '9'), (2, '7')`;
const RESOLVE =
  "resolve: { table: crm, from: { email: email }, to: { controller_customer_id: 'no' } }";
const BY_NUMBER = 'tables: [{ table: orders, match: { controller_customer_id: customer } }]';
const ORDERS = [RESOLVE, BY_NUMBER];
const CRM = [RESOLVE, 'tables: [{ table: crm, match: { email: email } }]'];

function statementsOn(table: string, where: string): string {
  const count = `"SELECT count(*) FROM ${table} WHERE ${where}"`;
  return `preview: ${count}, erase: ["DELETE FROM ${table} WHERE ${where}"], verify: ${count}`;
}

const PEOPLE = [
  ['a table', ['tables: [{ table: crm, match: { email: email } }]']],
  [
    'a plan of several tables',
    [
      'tables: [{ table: notes, via: { crm: { crm_id: id } }, action: { overwrite: { crm_id: null } } }, { table: crm, match: { email: email } }]',
    ],
  ],
  ['statements', [`sql: { ${statementsOn('crm', 'email = :email')} }`]],
] as const;

/** The first attempt to erase meets it; the one after does not. */
function correcting(world: LookupsOn, change: string): Parameters<LookupsOn['run']>[1] {
  let isDone = false;
  return (own) => ({
    async erase(orders, record) {
      if (!isDone) await world.query(change);
      isDone = true;
      return own.erase(orders, record);
    },
  });
}

describeOnEach('a lookup whose rows another target erases (%s)', (kind) => {
  itOn(kind).each(PEOPLE)('is asked again in the transaction of %s', async (_, people) =>
    withLookups(kind, SCHEMA, { orders: ORDERS, people }, async (world) => {
      const request = await world.request('jane@x.org');
      for (const name of ['orders', 'orders']) await world.run(name);
      await world.run('people', correcting(world, "UPDATE crm SET no = '7'"));
      expect(await world.task(request, 'people')).toMatchObject({
        state: 'held',
        reason: 'ambiguous_reference',
      });
      expect(await world.ids('crm')).toEqual([1]);
      await world.identify(request, [new Identity('controller_customer_id', '7')]);
      await world.release(request, 'people');
      for (const name of ['orders', 'people', 'orders', 'people']) await world.run(name);
      expect(await world.statusOf(request)).toBe('completed');
      expect([await world.ids('crm'), await world.ids('orders')]).toEqual([[], []]);
    }),
  );

  itOn(kind).each([
    ['tables', BY_NUMBER],
    ['statements', `sql: { ${statementsOn('orders', 'customer = :controller_customer_id')} }`],
  ])('is asked again in the transaction that erases by what it gives (%s)', (_, work) =>
    withLookups(kind, SCHEMA, { people: CRM, orders: [work] }, async (world) => {
      const request = await world.request('jane@x.org');
      await world.run('people');
      await world.run('orders', correcting(world, "UPDATE crm SET no = '7'"));
      expect(await world.task(request, 'orders')).toMatchObject({ reason: 'unproven_identity' });
      expect(await world.ids('orders')).toEqual([1, 2]);
      await world.release(request, 'orders');
      for (const name of ['people', 'orders', 'people']) await world.run(name);
      expect(await world.statusOf(request)).toBe('completed');
      expect([await world.ids('crm'), await world.ids('orders')]).toEqual([[], [1]]);
    }),
  );

  itOn(kind)('is asked after a transaction that was under way has ended', () =>
    withLookups(kind, SCHEMA, { orders: ORDERS, people: PEOPLE[0][1] }, async (world) => {
      const request = await world.request('jane@x.org');
      for (const name of ['orders', 'orders']) await world.run(name);
      await world.run('people', (own) => ({
        async erase(orders, record) {
          await world.query('BEGIN');
          await world.query("UPDATE crm SET no = '7'");
          const erasing = own.erase(orders, record);
          // Long enough for it to wait for the row.
          await setTimeout(500);
          await world.query('COMMIT');
          return erasing;
        },
      }));
      world.world.clock.now += 3_600_000;
      await world.run('people');
      expect(await world.task(request, 'people')).toMatchObject({ reason: 'ambiguous_reference' });
      expect(await world.ids('crm')).toEqual([1]);
    }),
  );

  itOn(kind).each(PEOPLE)('lets %s go on where nothing has changed', async (_, people) =>
    withLookups(kind, SCHEMA, { orders: ORDERS, people }, async (world) => {
      const request = await world.request('jane@x.org');
      for (const name of ['orders', 'orders', 'people']) await world.run(name);
      expect(await world.ids('crm')).toEqual([]);
      expect(await world.statusOf(request)).toBe('completed');
      expect(await world.ids('orders')).toEqual([2]);
    }),
  );
});
