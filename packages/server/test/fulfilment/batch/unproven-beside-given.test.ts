// A target with tables that only an unproven identity could be asked by, beside tables that a given one finds rows in.
import { expect, it, onTestFinished } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { openLookupWorld } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email TEXT, no TEXT);
  CREATE TABLE letters (id INTEGER PRIMARY KEY, email TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT);
  INSERT INTO crm VALUES (1, 'jane@x.org', '9');
  INSERT INTO letters VALUES (1, 'jane@x.org');
  INSERT INTO orders VALUES (2, '8');`;

const TARGETS = {
  crm: [
    'resolve: { table: crm, from: { email: email }, to: { controller_customer_id: no } }',
    'tables: [{ table: crm, match: { email: email } }]',
  ],
  shop: [
    'tables: [{ table: letters, match: { email: email } }, { table: orders, match: { controller_customer_id: customer } }]',
  ],
};

async function open() {
  const world = await openLookupWorld(SCHEMA, TARGETS);
  onTestFinished(() => world.close());
  const request = await world.request('jane@x.org');
  await world.run('crm');
  world.query('DELETE FROM crm');
  return { world, request };
}

it('erases by the given identity if the unproven one finds nothing by itself', async () => {
  const { world, request } = await open();
  await world.run('shop');
  expect(await world.task(request, 'shop')).toMatchObject({ state: 'erased' });
  expect([world.ids('letters'), world.ids('orders')]).toEqual([[], [2]]);
});

it('counts only the rows that no other identity finds', async () => {
  const { world, request } = await open();
  world.query("INSERT INTO orders VALUES (1, '9')");
  await world.run('shop');
  expect(await world.task(request, 'shop')).toMatchObject({
    state: 'held',
    reason: 'unproven_identity',
    detail: expect.stringContaining('a row is found by it alone (1 in orders)'),
  });
  expect([world.ids('letters'), world.ids('orders')]).toEqual([[1], [1, 2]]);
  await world.identify(request, [new Identity('controller_customer_id', '9')]);
  await world.release(request, 'shop');
  await world.run('crm');
  await world.run('shop');
  expect([world.ids('letters'), world.ids('orders')]).toEqual([[], [2]]);
});

it('is held for rows that are kept as shared and that only the unproven identity finds', async () => {
  const { world, request } = await open();
  world.query('ALTER TABLE orders ADD COLUMN recipient TEXT');
  world.query("INSERT INTO orders VALUES (1, '9', '8')");
  const orders =
    '{ table: orders, match: { controller_customer_id: [customer, recipient], email: customer }, shared: keep }';
  await world.configure({
    crm: TARGETS.crm,
    shop: [`tables: [{ table: letters, match: { email: email } }, ${orders}]`],
  });
  await world.run('shop');
  expect(await world.task(request, 'shop')).toMatchObject({
    state: 'held',
    reason: 'unproven_identity',
    detail: expect.stringContaining('a row is found by it alone (1 in orders)'),
  });
  expect([world.ids('letters'), world.ids('orders')]).toEqual([[1], [1, 2]]);
  await world.release(request, 'shop');
  await world.run('crm');
  await world.run('shop');
  expect(await world.task(request, 'shop')).toMatchObject({ state: 'erased' });
  expect([world.ids('letters'), world.ids('orders')]).toEqual([[], [1, 2]]);
});
