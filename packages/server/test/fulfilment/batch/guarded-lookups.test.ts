// One target looks identities up in a table that another target of the request erases from.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { type LookupWorld, openLookupWorld } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email TEXT, no TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT);
  INSERT INTO crm VALUES (1, 'jane@x.org', '9'), (2, 'carl@x.org', '8');
  INSERT INTO orders VALUES (1, '9'), (2, '8'), (3, '7');`;
const TARGETS = {
  shop: [
    'resolve: { table: crm, from: { email: email }, to: { controller_customer_id: no }, limit: 2 }',
    'tables: [{ table: orders, match: { controller_customer_id: customer } }]',
  ],
  people: ['tables: [{ table: CRM, match: { email: email } }]'],
};
const HELD = { state: 'held', reason: 'ambiguous_reference' };

describe('a target that erases the rows in which another looks up', () => {
  let world: LookupWorld;
  beforeEach(async () => {
    world = await openLookupWorld(SCHEMA, TARGETS);
  });
  afterEach(() => world.close());

  it.each([
    ['was corrected', "UPDATE crm SET no = '7' WHERE id = 1"],
    ['has come', "INSERT INTO crm VALUES (3, 'jane@x.org', '7')"],
  ])('is held if a value %s, until it is known', async (_, change) => {
    const request = await world.request('jane@x.org');
    for (const name of ['shop', 'shop']) await world.run(name);
    world.query(change);
    await world.run('people');
    expect(await world.task(request, 'people')).toMatchObject({
      ...HELD,
      detail: expect.stringContaining('gives another controller_customer_id'),
    });
    expect(world.ids('crm')).toContain(1);
    await world.identify(request, [new Identity('controller_customer_id', '7')]);
    await world.release(request, 'people');
    for (const name of ['people', 'shop', 'people', 'shop', 'people']) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    expect([world.ids('crm'), world.ids('orders')]).toEqual([[2], [2]]);
  });

  it('is held if there are more values than were taken', async () => {
    world.query("INSERT INTO crm VALUES (3, 'jane@x.org', '7'), (4, 'jane@x.org', '6')");
    const request = await world.request('jane@x.org');
    await world.run('shop');
    expect(await world.task(request, 'shop')).toMatchObject({ reason: 'too_many_resolved' });
    await world.identify(request, [new Identity('controller_customer_id', '9')]);
    await world.release(request, 'shop');
    for (const name of ['shop', 'people']) await world.run(name);
    expect(await world.task(request, 'people')).toMatchObject({
      ...HELD,
      detail: expect.stringContaining('raise it, reload and add one of them'),
    });
    expect(world.ids('crm')).toEqual([1, 2, 3, 4]);
    await world.configure({
      ...TARGETS,
      shop: TARGETS.shop.map((line) => line.replace('limit: 2', 'limit: 9')),
    });
    await world.identify(request, [new Identity('controller_customer_id', '7')]);
    await world.release(request, 'people');
    for (let rounds = 0; rounds < 2; rounds++)
      for (const name of ['shop', 'people']) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    expect([world.ids('crm'), world.ids('orders')]).toEqual([[2], [2]]);
  });

  it('continues if nothing has changed, when the other is done', async () => {
    const request = await world.request('jane@x.org');
    await world.run('shop');
    for (const name of ['people', 'shop', 'people']) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    expect([world.ids('crm'), world.ids('orders')]).toEqual([[2], [2, 3]]);
  });
});
