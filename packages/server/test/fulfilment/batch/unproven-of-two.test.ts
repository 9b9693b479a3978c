// Two requests of a batch, with rows that both find by identities which are not proven any more.
import { expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { describeOnEach, itOn } from '../../misleading-schemas/misled-target.ts';
import { withLookups } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email VARCHAR(50), no VARCHAR(10));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer VARCHAR(50));
  INSERT INTO crm VALUES (1, 'jane@x.org', '9'), (2, 'jane@y.org', '9');
  INSERT INTO orders VALUES (1, '9'), (2, '8')`;
const TARGETS = {
  crm: [
    "resolve: { table: crm, from: { email: email }, to: { controller_customer_id: 'no' } }",
    'tables: [{ table: crm, match: { email: email } }]',
  ],
  shop: [
    'tables: [{ table: orders, match: { controller_customer_id: customer, email: customer } }]',
  ],
};
const UNPROVEN = { state: 'held', reason: 'unproven_identity', previewedRows: 1 };

describeOnEach('a batch of two requests with a number that is not proven (%s)', (kind) => {
  itOn(kind)('holds both of them for the row that they find by it', () =>
    withLookups(kind, SCHEMA, TARGETS, async (world) => {
      const requests = [await world.request('jane@x.org'), await world.request('jane@y.org')];
      await world.run('crm');
      await world.query('UPDATE crm SET no = NULL');
      await world.run('shop');
      for (const request of requests)
        expect(await world.task(request, 'shop')).toMatchObject(UNPROVEN);
    }),
  );

  itOn(kind)('does not erase the row for one where the other was released without it', () =>
    withLookups(kind, SCHEMA, TARGETS, async (world) => {
      const first = await world.request('jane@x.org');
      const second = await world.request('jane@y.org');
      await world.run('crm');
      await world.query('UPDATE crm SET no = NULL');
      await world.run('shop');
      await world.release(first, 'shop');
      world.world.clock.now += 3_600_000;
      for (const name of ['crm', 'shop']) await world.run(name);
      expect(await world.ids('orders')).toEqual([1, 2]);
      expect(await world.task(second, 'shop')).toMatchObject(UNPROVEN);
      expect((await world.task(first, 'shop')).evidence?.tables).toEqual({
        orders: { action: 'delete', rows: 0, unproven: 1 },
      });
    }),
  );

  itOn(kind)('holds one for a row that is given to the other, which is erased', () =>
    withLookups(kind, SCHEMA, TARGETS, async (world) => {
      const first = await world.request('jane@x.org');
      const second = await world.request('jane@y.org');
      // By another number, which is not proven any more and finds nothing, it is in doubt as well.
      await world.query("INSERT INTO crm VALUES (3, 'jane@x.org', '7')");
      await world.run('crm');
      await world.identify(first, [new Identity('controller_customer_id', '9')]);
      await world.query('UPDATE crm SET no = NULL');
      for (const name of ['crm', 'shop']) await world.run(name);
      expect(await world.task(first, 'shop')).toMatchObject({ state: 'erased' });
      expect(await world.task(second, 'shop')).toMatchObject(UNPROVEN);
      expect(await world.ids('orders')).toEqual([2]);
    }),
  );
});
