// Two targets that look up the same value: it counts while one of them gives it.
import { expect, it, onTestFinished } from 'vitest';
import { openLookupWorld } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email TEXT, no TEXT);
  CREATE TABLE erp (id INTEGER PRIMARY KEY, email TEXT, no TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT);
  INSERT INTO crm VALUES (1, 'jane@x.org', '9');
  INSERT INTO erp VALUES (1, 'jane@x.org', '9');
  INSERT INTO orders VALUES (1, '9'), (2, '8');`;

const lookupIn = (table: string) =>
  `resolve: { table: ${table}, from: { email: email }, to: { controller_customer_id: no } }`;

const TARGETS = {
  crm: [lookupIn('crm'), 'tables: [{ table: crm, match: { email: email } }]'],
  erp: [
    lookupIn('erp'),
    'tables: [{ table: orders, match: { controller_customer_id: customer } }]',
  ],
};

async function open() {
  const world = await openLookupWorld(SCHEMA, TARGETS);
  onTestFinished(() => world.close());
  const request = await world.request('jane@x.org');
  // Until nothing new is found.
  for (const name of ['crm', 'erp', 'crm']) await world.run(name);
  return { world, request };
}

it('erases by a value that the first of two lookups does not give any more', async () => {
  const { world, request } = await open();
  world.query('DELETE FROM crm');
  await world.run('erp');
  expect(await world.task(request, 'erp')).toMatchObject({ state: 'erased' });
  expect(world.ids('orders')).toEqual([2]);
});

it('erases by a value that the second of two lookups does not give any more', async () => {
  const { world, request } = await open();
  world.query('DELETE FROM erp');
  await world.run('erp');
  expect(await world.task(request, 'erp')).toMatchObject({ state: 'erased' });
  expect(world.ids('orders')).toEqual([2]);
});

it('is held if neither lookup gives it any more, even if that changes while erasing', async () => {
  const { world, request } = await open();
  world.query('DELETE FROM crm');
  await world.run('erp', (own) => ({
    async erase(orders, record) {
      world.query("UPDATE erp SET email = 'bob@x.org'");
      return await own.erase(orders, record);
    },
  }));
  expect(await world.task(request, 'erp')).toMatchObject({
    state: 'held',
    reason: 'unproven_identity',
  });
  expect(world.ids('orders')).toEqual([1, 2]);
});
