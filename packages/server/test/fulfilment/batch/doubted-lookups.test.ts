// A target erases by an identity that another one has looked up, and which that one does not give any more.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { type LookupWorld, openLookupWorld } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT);
  INSERT INTO users VALUES (9, 'jane@x.org');
  INSERT INTO orders VALUES (1, '9'), (2, '7');`;

const TARGETS = {
  crm: [
    'resolve: { table: users, from: { email: email }, to: { controller_customer_id: id } }',
    'tables: [{ table: users, match: { email: email } }]',
  ],
  shop: ['tables: [{ table: orders, match: { controller_customer_id: customer } }]'],
};

describe('a target that erases by what another has looked up', () => {
  let world: LookupWorld;
  beforeEach(async () => {
    world = await openLookupWorld(SCHEMA, TARGETS);
  });
  afterEach(() => world.close());

  it.each([
    ['was corrected to be of somebody else', "UPDATE users SET email = 'bob@x.org'"],
    [
      'was given to another row after the first had gone',
      "UPDATE users SET email = 'carl@x.org' WHERE id = 9",
    ],
    ['was removed', 'DELETE FROM users'],
    ['was corrected to be another', 'UPDATE users SET id = 7'],
  ])('is held where it %s', async (_, change) => {
    const request = await world.request('jane@x.org');
    await world.run('crm');
    world.query(change);
    await world.run('shop');
    expect(await world.task(request, 'shop')).toMatchObject({
      state: 'held',
      reason: 'unproven_identity',
      detail: expect.stringContaining(
        'users of the target crm ("resolve"), which does not give it',
      ),
    });
    expect(world.ids('orders')).toEqual([1, 2]);
  });

  it.each([
    ['was removed', { shop: TARGETS.shop }],
    ['has another name', { sales: TARGETS.crm, shop: TARGETS.shop }],
    ['looks nothing up any more', { crm: TARGETS.crm.slice(1), shop: TARGETS.shop }],
  ])('is held where that one %s', async (_, changed) => {
    const request = await world.request('jane@x.org');
    await world.run('crm');
    await world.configure(changed);
    await world.run('shop');
    expect(await world.task(request, 'shop')).toMatchObject({
      state: 'held',
      reason: 'unproven_identity',
      detail: expect.stringContaining('the target crm, which cannot be asked any more'),
    });
    expect(world.ids('orders')).toEqual([1, 2]);
    await world.identify(request, [new Identity('controller_customer_id', '9')]);
    await world.release(request, 'shop');
    await world.run('crm');
    const { taskNo, reason } = await world.task(request, 'crm');
    // Nothing is erased before a person has said what becomes of a target that should look up.
    if (reason === 'target_removed') await world.retain(taskNo);
    for (const name of ['crm', 'shop', 'crm']) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    expect(world.ids('orders')).toEqual([2]);
  });

  it('looks up anew when it is released, and erases by what is given then', async () => {
    const request = await world.request('jane@x.org');
    await world.run('crm');
    world.query('UPDATE users SET id = 7');
    await world.run('shop');
    await world.release(request, 'shop');
    for (let rounds = 0; rounds < 2; rounds++)
      for (const name of ['shop', 'crm']) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    expect([world.ids('users'), world.ids('orders')]).toEqual([[], [1]]);
  });
});
