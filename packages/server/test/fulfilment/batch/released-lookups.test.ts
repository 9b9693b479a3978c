// A task that is held for an identity that is not proven is released: it is proven again first, and what is not proven then stays.

import { expect } from 'vitest';
import { eraseByCall } from '../../../src/connectors/erase-as-previewed.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import { outcomeOf } from '../../../src/domain/request/outcome.ts';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import type { Connector, Found } from '../../../src/domain/target/connector.ts';
import { describeOnEach, itOn } from '../../misleading-schemas/misled-target.ts';
import { type LookupsOn, MANUAL, withLookups } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email VARCHAR(50), no VARCHAR(10));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer VARCHAR(50));
  CREATE TABLE archive (id INTEGER PRIMARY KEY, customer VARCHAR(50));
  INSERT INTO crm VALUES (1, 'jane@x.org', '9');
  INSERT INTO orders VALUES (1, '9'), (2, '8');
  INSERT INTO archive VALUES (1, '9')`;
const CRM = [
  "resolve: { table: crm, from: { email: email }, to: { controller_customer_id: 'no' } }",
  'tables: [{ table: crm, match: { email: email } }]',
];
const SHOP = [
  'tables: [{ table: orders, match: { controller_customer_id: customer, email: customer } }]',
];
const ARCHIVE = [
  'tables: [{ table: archive, match: { controller_customer_id: customer } }]',
  'when_unmatched: skip',
];
const PREVIEWED = 'mode: preview';
const NOTHING_LEFT = { reason: 'preview_mode', previewedRows: 0 };
const UNPROVEN = { state: 'held', reason: 'unproven_identity' };

async function outcomeAt(world: LookupsOn, request: NewRequest, ...targets: readonly string[]) {
  const tasks = await Promise.all(targets.map((target) => world.task(request, target)));
  return outcomeOf('completed', tasks);
}

describeOnEach('a task that is held for an identity that is not proven (%s)', (kind) => {
  itOn(kind)('erases where it is proven again when it is released', () =>
    withLookups(kind, SCHEMA, { crm: CRM, shop: [...SHOP, PREVIEWED] }, async (world) => {
      const request = await world.request('jane@x.org');
      for (const name of ['crm', 'shop']) await world.run(name);
      await world.configure({ sales: CRM, shop: [...SHOP, PREVIEWED] });
      await world.releaseAndRun(request, 'shop');
      expect(await world.task(request, 'shop')).toMatchObject(UNPROVEN);
      await world.configure({ crm: CRM, shop: SHOP });
      await world.release(request, 'shop');
      for (const name of ['crm', 'shop', 'crm']) await world.run(name);
      expect(await world.statusOf(request)).toBe('completed');
      expect(await world.ids('orders')).toEqual([2]);
      expect(await outcomeAt(world, request, 'crm', 'shop')).toBe('erased');
    }),
  );

  itOn(kind)('tells how many rows stay, and leaves them when it is released', () =>
    withLookups(kind, SCHEMA, { crm: CRM, shop: SHOP }, async (world) => {
      const request = await world.request('jane@x.org');
      await world.run('crm');
      await world.query('UPDATE crm SET no = NULL');
      await world.run('shop');
      expect(await world.task(request, 'shop')).toMatchObject({
        ...UNPROVEN,
        previewedRows: 1,
        detail: expect.stringContaining('a row is found by it alone (1 in orders)'),
      });
      await world.release(request, 'shop');
      for (const name of ['crm', 'shop', 'crm']) await world.run(name);
      expect(await world.statusOf(request)).toBe('completed');
      expect([await world.ids('crm'), await world.ids('orders')]).toEqual([[], [1, 2]]);
      const { evidence } = await world.task(request, 'shop');
      expect(evidence).toMatchObject({ action: 'not_found', verified: 'requeried' });
      expect(evidence?.tables).toEqual({ orders: { action: 'delete', rows: 0, unproven: 1 } });
      expect(await outcomeAt(world, request, 'crm', 'shop')).toBe('partly retained');
    }),
  );

  itOn(kind)('is held again where more rows are found than it was released for', () =>
    withLookups(kind, SCHEMA, { crm: CRM, shop: [...SHOP, PREVIEWED] }, async (world) => {
      const request = await world.request('jane@x.org');
      await world.run('crm');
      await world.query('DELETE FROM crm');
      for (const name of ['crm', 'shop']) await world.run(name);
      await world.query("INSERT INTO orders VALUES (3, '9'), (4, 'jane@x.org')");
      await world.release(request, 'shop');
      for (const name of ['crm', 'shop']) await world.run(name);
      expect(await world.task(request, 'shop')).toMatchObject({ ...UNPROVEN, previewedRows: 2 });
      await world.release(request, 'shop');
      for (const name of ['crm', 'shop']) await world.run(name);
      expect(await world.task(request, 'shop')).toMatchObject({
        reason: 'preview_mode',
        previewedRows: 1,
      });
      await world.releaseAndRun(request, 'shop');
      await world.run('crm');
      expect(await world.statusOf(request)).toBe('completed');
      expect(await world.ids('orders')).toEqual([1, 2, 3]);
      expect((await world.task(request, 'shop')).evidence?.tables).toEqual({
        orders: { action: 'delete', rows: 1, unproven: 2 },
      });
    }),
  );

  itOn(kind)('leaves rows of an earlier intent, and does not take them for another person’s', () =>
    withLookups(
      kind,
      SCHEMA,
      { crm: CRM, shop: [...SHOP, PREVIEWED], archive: ARCHIVE, paper: [MANUAL] },
      async (world) => {
        const request = await world.request('jane@x.org');
        for (const name of ['crm', 'shop']) await world.run(name);
        await world.query('UPDATE crm SET no = NULL');
        await world.releaseAndRun(request, 'shop');
        await world.run('archive');
        for (const name of ['shop', 'archive']) {
          expect(await world.task(request, name)).toMatchObject(UNPROVEN);
          await world.release(request, name);
          for (const next of ['crm', name]) await world.run(next);
        }
        // Nothing is left to be erased: in preview mode that is an operator's decision too.
        expect(await world.task(request, 'shop')).toMatchObject(NOTHING_LEFT);
        await world.releaseAndRun(request, 'shop');
        expect((await world.task(request, 'shop')).evidence).toMatchObject({
          action: 'not_found',
          tables: { orders: { rows: 0, unproven: 1 } },
        });
        expect((await world.task(request, 'archive')).evidence?.tables).toEqual({
          archive: { action: 'delete', rows: 0, unproven: 1 },
        });
        expect(await outcomeAt(world, request, 'shop', 'archive')).toBe('retained');
      },
    ),
  );

  itOn(kind)('erases them where the identity is added later', () =>
    withLookups(kind, SCHEMA, { crm: CRM, shop: SHOP, paper: [MANUAL] }, async (world) => {
      const request = await world.request('jane@x.org');
      await world.run('crm');
      await world.query('DELETE FROM crm');
      for (const name of ['crm', 'shop']) await world.run(name);
      await world.release(request, 'shop');
      for (const name of ['crm', 'shop']) await world.run(name);
      expect((await world.task(request, 'shop')).evidence?.tables).toMatchObject({
        orders: { unproven: 1 },
      });
      await world.identify(request, [new Identity('controller_customer_id', '9')]);
      for (const name of ['crm', 'shop', 'crm', 'shop']) await world.run(name);
      expect(await world.ids('orders')).toEqual([2]);
      const tasks = await world.world.scene.tasksOf(request);
      const runs = tasks.filter(({ target }) => target === 'shop');
      expect(outcomeOf('completed', runs)).toBe('erased');
    }),
  );

  itOn(kind)('finds nothing any more where another request of the person has erased the rows', () =>
    withLookups(kind, SCHEMA, { crm: CRM, shop: [...SHOP, PREVIEWED] }, async (world) => {
      const first = await world.request('jane@x.org');
      const second = await world.request('jane@x.org');
      for (const name of ['crm', 'shop']) await world.run(name);
      await world.releaseAndRun(first, 'shop');
      await world.run('crm');
      expect(await world.statusOf(first)).toBe('completed');
      world.world.clock.now += 3_600_000;
      for (const name of ['shop', 'crm']) await world.run(name);
      expect(await world.task(second, 'shop')).toMatchObject(NOTHING_LEFT);
      await world.releaseAndRun(second, 'shop');
      await world.run('crm');
      expect(await world.statusOf(second)).toBe('completed');
      expect(await world.ids('orders')).toEqual([2]);
      expect(await outcomeAt(world, second, 'crm', 'shop')).toBe('erased');
    }),
  );

  itOn(kind)('does not say of an endpoint’s rows that they are gone', () =>
    withLookups(kind, SCHEMA, { crm: CRM, shop: [...SHOP, PREVIEWED] }, async (world) => {
      const request = await world.request('jane@x.org');
      await world.run('crm');
      const endpoint: Parameters<LookupsOn['run']>[1] = (own) => {
        const preview: Connector['preview'] = async (subjects) => {
          const found = await own.preview(subjects);
          return found.map((one) => (one.outcome === 'found' ? numbersOf(one) : one));
        };
        return {
          preview,
          erase: eraseByCall(preview, async (orders) =>
            orders.map(({ counts }) => ({ outcome: 'erased', counts })),
          ),
          verify: async (orders) => orders.map(() => ({ outcome: 'gone', how: 'reported' })),
        };
      };
      await world.run('shop', endpoint);
      expect(await world.task(request, 'shop')).toMatchObject({ reason: 'preview_mode' });
      await world.query('UPDATE crm SET no = NULL');
      await world.release(request, 'shop');
      await world.run('shop', endpoint);
      expect(await world.task(request, 'shop')).toMatchObject(UNPROVEN);
      await world.release(request, 'shop');
      await world.run('crm');
      await world.run('shop', endpoint);
      expect(await world.task(request, 'shop')).toMatchObject(NOTHING_LEFT);
      await world.release(request, 'shop');
      await world.run('shop', endpoint);
      expect((await world.task(request, 'shop')).evidence).toMatchObject({
        action: 'not_found',
        tables: { orders: { action: 'delete', rows: 0, unproven: 1 } },
      });
    }),
  );
});

/** As an endpoint answers. */
const numbersOf = ({ counts, retained, outcome, sharedWith }: Found): Found => ({
  counts,
  retained,
  outcome,
  sharedWith,
  keys: {},
});
