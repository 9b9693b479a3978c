// A number that one lookup has found, and that another one gives now, which had found nothing when the request started.
import { expect } from 'vitest';
import { describeOnEach, itOn } from '../../misleading-schemas/misled-target.ts';
import { withLookups } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email VARCHAR(50), no VARCHAR(10));
  CREATE TABLE erp (id INTEGER PRIMARY KEY, email VARCHAR(50), no VARCHAR(10));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer VARCHAR(50));
  CREATE TABLE letters (id INTEGER PRIMARY KEY, email VARCHAR(50));
  INSERT INTO crm VALUES (1, 'jane@x.org', '9');
  INSERT INTO orders VALUES (1, '9'), (2, '8');
  INSERT INTO letters VALUES (1, 'jane@x.org')`;
const lookupIn = (table: string) =>
  `resolve: { table: ${table}, from: { email: email }, to: { controller_customer_id: 'no' } }`;
const CRM = [lookupIn('crm'), 'tables: [{ table: crm, match: { email: email } }]'];
const ORDERS = '{ table: orders, match: { controller_customer_id: customer } }';
const LETTERS = '{ table: letters, match: { email: email } }';
const ERP = '{ table: erp, match: { email: email } }';

const ITSELF = { crm: CRM, shop: [lookupIn('erp'), `tables: [${LETTERS}, ${ORDERS}]`] };
const ERASES_FROM = {
  crm: CRM,
  erp: [lookupIn('erp'), `tables: [${LETTERS}]`],
  shop: [`tables: [${ERP}, ${ORDERS}]`],
};

describeOnEach('a number that another lookup gives now (%s)', (kind) => {
  itOn(kind).each([
    ['looks it up', ITSELF, 'shop'],
    ['erases from the table of that lookup', ERASES_FROM, 'erp'],
  ])('is proven at a target that %s', (_, targets, other) =>
    withLookups(kind, SCHEMA, targets, async (world) => {
      const request = await world.request('jane@x.org');
      for (const name of ['crm', other]) await world.run(name);
      await world.query('DELETE FROM crm');
      await world.query("INSERT INTO erp VALUES (1, 'jane@x.org', '9')");
      for (const name of ['erp', 'shop', 'crm']) await world.run(name);
      expect(await world.task(request, 'shop')).toMatchObject({ state: 'erased' });
      expect([await world.ids('letters'), await world.ids('orders')]).toEqual([[], [2]]);
      expect(await world.statusOf(request)).toBe('completed');
    }),
  );

  itOn(kind)('does not hold a target that looks it up, and finds nothing by it', () =>
    withLookups(kind, SCHEMA, ITSELF, async (world) => {
      const request = await world.request('jane@x.org');
      for (const name of ['crm', 'shop']) await world.run(name);
      await world.query('DELETE FROM crm');
      await world.query('DELETE FROM orders WHERE id = 1');
      await world.query("INSERT INTO erp VALUES (1, 'jane@x.org', '9')");
      for (const name of ['shop', 'crm']) await world.run(name);
      expect(await world.statusOf(request)).toBe('completed');
      expect([await world.ids('letters'), await world.ids('orders')]).toEqual([[], [2]]);
    }),
  );
});
