// A lookup reads a column that the plan overwrites: what Unwrite has written there is nobody's identity.
import { afterEach, describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import { type LookupWorld, openLookupWorld } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER);
  CREATE TABLE letters (id INTEGER PRIMARY KEY, email TEXT);
  INSERT INTO customers VALUES (1, 'jane@x.org'), (2, 'max@x.org');
  INSERT INTO orders VALUES (1, 1), (2, 2);
  INSERT INTO letters VALUES (1, 'jane@x.org'), (2, 'max@x.org');`;
const RESOLVE =
  'resolve: { table: customers, from: { controller_customer_id: id }, to: { email: email } }';
const LETTERS = ['when_unmatched: skip', 'tables: [{ table: letters, match: { email: email } }]'];
const shop = (email: string) => [
  RESOLVE,
  'tables:',
  '  - { table: orders, via: { customers: { customer_id: id } } }',
  `  - { table: customers, match: { controller_customer_id: id, email: email }, action: { overwrite: { email: ${email} } } }`,
];

describe('a lookup in a column that is overwritten', () => {
  let world: LookupWorld;
  afterEach(() => world.close());

  async function ask(id: string): Promise<NewRequest> {
    const identities = [new Identity('controller_customer_id', id)];
    const request = await world.world.scene.create({ identities });
    await world.world.startDue();
    return request;
  }
  async function run(...names: readonly string[]): Promise<void> {
    for (const name of names) await world.run(name);
  }

  it('does not find all people by the text that all erased rows have', async () => {
    world = await openLookupWorld(SCHEMA, {
      shop: shop('erased@x.invalid'),
      letters: LETTERS,
    });
    await ask('1');
    await ask('2');
    await run('shop', 'letters', 'shop');
    expect([world.ids('orders'), world.ids('letters')]).toEqual([[], []]);
    world.query('INSERT INTO orders VALUES (3, 1), (4, 2)');
    const again = await ask('1');
    await run('shop', 'letters', 'shop');
    expect(await world.statusOf(again)).toBe('completed');
    expect(world.ids('orders')).toEqual([4]);
  });

  it.each([
    ['another target', 'customers'],
    ['another target, which calls the table main.customers,', 'main.customers'],
  ])('finds nobody by the text that %s writes there', async (_, table) => {
    world = await openLookupWorld(SCHEMA, {
      letters: [RESOLVE, ...LETTERS],
      shop: [
        `tables: [{ table: ${table}, match: { controller_customer_id: id }, action: { overwrite: { email: erased@x.invalid } } }]`,
      ],
    });
    await ask('1');
    await run('letters', 'letters', 'shop');
    // Another person's, of whom no more than this is left.
    world.query("INSERT INTO letters VALUES (3, 'erased@x.invalid')");
    const again = await ask('1');
    await run('letters', 'letters', 'shop');
    expect(await world.statusOf(again)).toBe('completed');
    expect(world.ids('letters')).toEqual([2, 3]);
  });

  it.each(['{ unique: "erased-{random}@x.invalid" }', '{ hash: true }', 'gone'])(
    'is completed after its worker was killed, where it had written %s',
    async (email) => {
      world = await openLookupWorld(SCHEMA, { shop: shop(email), letters: LETTERS });
      const request = await ask('1');
      await run('shop', 'letters');
      await world.run('shop', (own) => ({
        async erase(orders, record) {
          await own.erase(orders, record);
          throw new Error('killed');
        },
      }));
      world.world.clock.now += 3_600_000;
      await run('shop');
      expect(await world.statusOf(request)).toBe('completed');
      expect((await world.task(request, 'shop')).evidence?.tables).toMatchObject({
        customers: { action: 'overwrite', rows: 0, unconfirmed: 1 },
      });
      expect(world.ids('letters')).toEqual([2]);
    },
  );
});
