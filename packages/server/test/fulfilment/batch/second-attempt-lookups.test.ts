// A target that erased only a part at its first attempt: whether the second one may use what the rows gave that another target has erased.
import { describe, expect } from 'vitest';
import { itOn, KINDS } from '../../misleading-schemas/misled-target.ts';
import { type LookupsOn, withLookups } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email VARCHAR(50), no VARCHAR(10));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer VARCHAR(50));
  INSERT INTO crm VALUES (1, 'jane@x.org', '9');
  INSERT INTO orders VALUES (1, '9'), (2, '8')`;
const TARGETS = {
  crm: [
    "resolve: { table: crm, from: { email: email }, to: { controller_customer_id: 'no' } }",
    'tables: [{ table: crm, match: { email: email } }]',
  ],
  shop: ['tables: [{ table: orders, match: { controller_customer_id: customer } }]'],
};

/** An order comes while the first attempt erases: it is tried again later. */
async function runWhileShopping(world: LookupsOn) {
  for (const name of ['crm', 'crm']) await world.run(name);
  await world.run('shop', (own) => ({
    async erase(orders) {
      const answers = await own.erase(orders);
      await world.query("INSERT INTO orders VALUES (3, '9')");
      return answers;
    },
  }));
  world.world.clock.now += 3_600_000;
}

describe.each(KINDS)('a second attempt after a part was erased (%s)', (kind) => {
  itOn(kind)('erases by the identity that the first one used', () =>
    withLookups(kind, SCHEMA, TARGETS, async (world) => {
      const request = await world.request('jane@x.org');
      await runWhileShopping(world);
      expect(await world.task(request, 'shop')).toMatchObject({ reason: 'still_there' });
      await world.run('shop');
      expect(await world.statusOf(request)).toBe('completed');
      expect(await world.ids('orders')).toEqual([2]);
      expect((await world.task(request, 'shop')).evidence?.tables).toEqual({
        orders: { action: 'delete', rows: 2 },
      });
    }),
  );

  itOn(kind)('is held where the value is another row’s by now', () =>
    withLookups(kind, SCHEMA, TARGETS, async (world) => {
      const request = await world.request('jane@x.org');
      await runWhileShopping(world);
      await world.query("INSERT INTO crm VALUES (6, 'carl@x.org', '9')");
      await world.run('shop');
      expect(await world.task(request, 'shop')).toMatchObject({ reason: 'ambiguous_reference' });
      expect(await world.ids('orders')).toEqual([2, 3]);
    }),
  );
});
