// A lookup gives another identity than before when others have erased: they are asked for it too.
import { afterEach, describe, expect, it } from 'vitest';
import { type LookupWorld, openLookupWorld } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email TEXT, no TEXT);
  CREATE TABLE letters (id INTEGER PRIMARY KEY, email TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT);
  INSERT INTO letters VALUES (1, 'jane@x.org');
  INSERT INTO orders VALUES (1, '9'), (2, '8');`;
const RESOLVE =
  'resolve: { table: crm, from: { email: email }, to: { controller_customer_id: no } }';
const SHOP = [
  'tables: [{ table: orders, match: { controller_customer_id: customer } }]',
  'when_unmatched: skip',
];

describe('an identity that a lookup gives for the first time', () => {
  let world: LookupWorld;
  afterEach(() => world.close());

  it('in a run after the completion is looked for at the targets that were done', async () => {
    world = await openLookupWorld(SCHEMA, {
      crm: [RESOLVE, 'tables: [{ table: crm, match: { email: email } }]'],
      shop: SHOP,
    });
    const request = await world.request('jane@x.org');
    for (const name of ['crm', 'shop', 'crm']) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    world.query("INSERT INTO crm VALUES (1, 'jane@x.org', '9')");
    await world.eraseAgain('crm');
    await world.run('crm');
    expect(world.ids('crm')).toEqual([1]);
    for (const name of ['crm', 'shop', 'crm']) await world.run(name);
    expect([world.ids('crm'), world.ids('orders')]).toEqual([[], [2]]);
    expect(await world.statusOf(request)).toBe('completed');
    const tasks = await world.world.scene.tasksOf(request);
    expect(tasks.map(({ target, run, state }) => [target, run, state])).toEqual([
      ['crm', 1, 'erased'],
      ['shop', 1, 'erased'],
      ['crm', 2, 'erased'],
      ['shop', 2, 'erased'],
    ]);
  });

  it('after a correction is looked for when a task is released that was held for the value before', async () => {
    world = await openLookupWorld(SCHEMA, {
      crm: [RESOLVE, 'tables: [{ table: letters, match: { email: email } }]'],
      shop: [...SHOP, 'mode: preview'],
    });
    world.query("INSERT INTO crm VALUES (1, 'jane@x.org', '9')");
    const request = await world.request('jane@x.org');
    for (const name of ['crm', 'crm', 'shop']) await world.run(name);
    expect(world.ids('letters')).toEqual([]);
    world.query("UPDATE crm SET no = '8'");
    await world.release(request, 'shop');
    await world.run('shop');
    expect(await world.task(request, 'shop')).toMatchObject({ reason: 'unproven_identity' });
    await world.release(request, 'shop');
    for (const name of ['crm', 'crm', 'shop']) await world.run(name);
    expect(await world.task(request, 'shop')).toMatchObject({ reason: 'preview_mode' });
    await world.release(request, 'shop');
    await world.run('shop');
    expect(await world.statusOf(request)).toBe('completed');
    expect(world.ids('orders')).toEqual([1]);
    expect((await world.task(request, 'shop')).evidence?.tables).toEqual({
      orders: { action: 'delete', rows: 1, unproven: 1 },
    });
  });

  it('or no longer gives: a run after the completion that is held for it continues when it is released', async () => {
    world = await openLookupWorld(SCHEMA, {
      crm: [RESOLVE, 'tables: [{ table: crm, match: { email: email } }]'],
      shop: SHOP,
    });
    world.query("INSERT INTO crm VALUES (1, 'jane@x.org', '9')");
    const request = await world.request('jane@x.org');
    for (const name of ['crm', 'shop', 'crm']) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    world.query("INSERT INTO orders VALUES (5, '9')");
    await world.eraseAgain('shop');
    await world.run('shop');
    expect(await world.task(request, 'shop')).toMatchObject({ reason: 'unproven_identity' });
    await world.release(request, 'shop');
    for (const name of ['crm', 'shop', 'crm', 'shop', 'crm']) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    const tasks = await world.world.scene.tasksOf(request);
    expect(tasks.filter(({ state }) => state !== 'erased')).toEqual([]);
    expect(world.ids('orders')).toEqual([2, 5]);
  });
});
