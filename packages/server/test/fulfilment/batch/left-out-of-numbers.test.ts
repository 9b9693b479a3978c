// Rows stay as unproven at a target that only gives numbers, and the worker dies while it erases the others.
import { expect } from 'vitest';
import { describeOnEach, itOn } from '../../misleading-schemas/misled-target.ts';
import { withLookups } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email VARCHAR(50), no VARCHAR(10));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer VARCHAR(50));
  INSERT INTO crm VALUES (1, 'jane@x.org', '9');
  INSERT INTO orders VALUES (1, '9'), (2, 'jane@x.org'), (3, 'jane@x.org'), (4, '8')`;
const HERS = 'orders WHERE customer = :email OR customer = :controller_customer_id';
const TARGETS = {
  crm: [
    "resolve: { table: crm, from: { email: email }, to: { controller_customer_id: 'no' } }",
    'tables: [{ table: crm, match: { email: email } }]',
  ],
  shop: [
    `sql: { preview: "SELECT 'orders', count(*) FROM ${HERS}", erase: ["DELETE FROM ${HERS}"], verify: "SELECT 'orders', count(*) FROM ${HERS}" }`,
  ],
};

describeOnEach('what was erased beside rows that stay as unproven (%s)', (kind) => {
  itOn(kind).each([
    ['without a kill', 0],
    ['after a kill', 1],
    ['after a kill, and another without an answer', 2],
  ])('is on record as a whole, %s', (_, kills) =>
    withLookups(kind, SCHEMA, TARGETS, async (lookups) => {
      const { world, connectorOf } = lookups;
      const request = await lookups.request('jane@x.org');
      await lookups.run('crm');
      await lookups.query('UPDATE crm SET no = NULL');
      await lookups.run('shop');
      expect(await lookups.task(request, 'shop')).toMatchObject({ reason: 'unproven_identity' });
      await lookups.release(request, 'shop');
      await lookups.run('crm');
      for (let kill = 0; kill < kills; kill += 1) {
        const dead = Promise.withResolvers<void>();
        const run = world.createRun(undefined, async (target) => {
          const connector = await connectorOf(target);
          const erase: typeof connector.erase = async (orders, record) => {
            await connector.erase(orders, record);
            dead.resolve();
            return new Promise(() => undefined);
          };
          return target.name === 'shop' ? { ...connector, erase } : connector;
        });
        const target = lookups.configs.find(({ name }) => name === 'shop');
        const ended = run(await world.scene.lease('shop'), target);
        // Where the database says that the first attempt has committed, the second has nothing to erase.
        if ((await Promise.race([dead.promise, ended])) !== undefined) break;
        world.clock.now += 31_000;
      }
      for (const name of ['shop', 'crm'])
        if ((await lookups.task(request, name)).state !== 'erased') await lookups.run(name);
      expect(await lookups.statusOf(request)).toBe('completed');
      expect(await lookups.ids('orders')).toEqual([1, 4]);
      // The others have no table here that says how the transaction ended.
      const isKnown = kills === 0 || kind === 'PostgreSQL';
      expect((await lookups.task(request, 'shop')).evidence).toMatchObject({
        action: isKnown ? 'erased' : 'already_erased',
        tables: { orders: { unproven: 1, ...(isKnown ? { rows: 2 } : { unconfirmed: 2 }) } },
      });
    }),
  );
});
