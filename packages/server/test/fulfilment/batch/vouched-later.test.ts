// What one target vouches for does not become more by what another target, or another attempt, finds later.
import { expect, it, onTestFinished } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { openLookupWorld } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email TEXT, no TEXT);
  CREATE TABLE letters (id INTEGER PRIMARY KEY, email TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT);
  INSERT INTO crm VALUES (1, 'jane@x.org', '9');
  INSERT INTO letters VALUES (1, 'jane@x.org');
  INSERT INTO orders VALUES (1, '9'), (2, '8');`;
const CRM = [
  'resolve: { table: crm, from: { email: email }, to: { controller_customer_id: no } }',
  'tables: [{ table: crm, match: { email: email } }]',
];
const NEWS = [
  'sql: { preview: "SELECT count(*) FROM letters WHERE email = :email", erase: ["DELETE FROM letters WHERE email = :email"], verify: "SELECT count(*) FROM letters WHERE email = :email" }',
];
const SHOP = ['tables: [{ table: orders, match: { controller_customer_id: customer } }]'];
const PREVIEWED = 'mode: preview';

async function open(targets: Parameters<typeof openLookupWorld>[1]) {
  const world = await openLookupWorld(SCHEMA, targets);
  onTestFinished(() => world.close());
  return { world, request: await world.request('jane@x.org') };
}

it('a late target that relies on a vouched identity does not vouch for it in runs that came later', async () => {
  const { world, request } = await open({ crm: CRM, news: [...NEWS, PREVIEWED], shop: SHOP });
  for (const name of ['crm', 'crm', 'shop', 'news']) await world.run(name);
  expect([world.ids('crm'), world.ids('orders')]).toEqual([[], [2]]);
  // The number is another person's by now.
  world.query("INSERT INTO orders VALUES (50, '9')");
  await world.identify(request, [new Identity('email', 'jane2@x.org')]);
  for (const name of ['crm', 'crm']) await world.run(name);
  await world.release(request, 'news');
  for (const name of ['news', 'shop']) await world.run(name);
  expect(world.ids('orders')).toEqual([2, 50]);
  expect(await world.task(request, 'shop')).toMatchObject({ reason: 'unproven_identity' });
});

it('a second attempt does not vouch for a row that others deleted after the first one had erased', async () => {
  const { world, request } = await open({
    ...{ crm: [...CRM, PREVIEWED], news: NEWS, shop: [...SHOP, PREVIEWED] },
  });
  for (const name of ['crm', 'crm', 'shop']) await world.run(name);
  await world.run('news', (own) => ({
    async erase(orders) {
      const answers = await own.erase(orders);
      world.query("INSERT INTO letters VALUES (5, 'jane@x.org')");
      return answers;
    },
  }));
  expect(await world.task(request, 'news')).toMatchObject({ state: 'failed' });
  world.query('DELETE FROM crm');
  world.world.clock.now += 3_600_000;
  await world.run('news');
  expect(world.ids('letters')).toEqual([]);
  await world.release(request, 'shop');
  await world.run('shop');
  expect(await world.task(request, 'shop')).toMatchObject({ reason: 'unproven_identity' });
  expect(world.ids('orders')).toEqual([1, 2]);
});
