// A target erases by an identity that another one has looked up, and which is somebody else's by now.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
  ])('is held where it %s', async (_, change) => {
    const request = await world.request('jane@x.org');
    await world.run('crm');
    world.query(change);
    await world.run('shop');
    expect(await world.task(request, 'shop')).toMatchObject({
      state: 'held',
      reason: 'ambiguous_reference',
      detail: expect.stringContaining("is somebody else's there by now"),
    });
    expect(world.ids('orders')).toEqual([1, 2]);
  });

  it('goes on where the other has erased the row, and is held where its key was used again', async () => {
    const request = await world.request('jane@x.org');
    for (let rounds = 0; rounds < 2; rounds++) await world.run('crm');
    expect(world.ids('users')).toEqual([]);
    world.query("INSERT INTO users VALUES (9, 'carl@x.org')");
    await world.run('shop');
    expect(await world.task(request, 'shop')).toMatchObject({ reason: 'ambiguous_reference' });
    world.query('DELETE FROM users');
    const { taskNo } = await world.task(request, 'shop');
    const { under, clock } = world.world;
    await under.operator.release(taskNo, { actor: 'operator:o', now: clock.now });
    await world.run('shop');
    expect(await world.statusOf(request)).toBe('completed');
    expect(world.ids('orders')).toEqual([2]);
  });
});
