// `unwrite preview --request`: what was looked up for the request has to be given now, as in a run.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { createPreviewRequest } from '../../../src/fulfilment/preview-request.ts';
import { subjectOf } from '../../helpers/subject.ts';
import { type LookupWorld, openLookupWorld } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email TEXT, no TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT);
  INSERT INTO crm VALUES (1, 'jane@x.org', '9');
  INSERT INTO orders VALUES (1, '9'), (2, '8'), (3, '8');`;
const TARGETS = {
  crm: [
    'resolve: { table: crm, from: { email: email }, to: { controller_customer_id: no } }',
    'tables: [{ table: crm, match: { email: email } }]',
  ],
  shop: ['tables: [{ table: orders, match: { controller_customer_id: customer } }]'],
};

describe('a preview of a request that has looked up', () => {
  let world: LookupWorld;
  beforeEach(async () => {
    world = await openLookupWorld(SCHEMA, TARGETS);
  });
  afterEach(() => world.close());

  async function preview() {
    const nine = new Identity('controller_customer_id', '9');
    const look = createPreviewRequest(world.configs, world.connectorOf, {
      isPaused: () => false,
      rowsToday: async () => 0,
      taskAt: () => ({ allowedRows: null, counts: null }),
      lookedUp: [{ source: 'crm', identities: [nine] }],
    });
    const { targets } = await look(subjectOf(0, [['email', 'jane@x.org']]));
    return targets.map(({ outcome, reason, counts }) => [outcome, reason, { ...counts }]);
  }

  it('says what would be erased if the lookup still gives the value', async () => {
    expect(await preview()).toEqual([
      ['would_erase', null, { crm: 1 }],
      ['would_erase', null, { orders: 1 }],
    ]);
  });

  it('says that targets would be held if the lookup gives another value', async () => {
    world.query("UPDATE crm SET no = '8'");
    expect(await preview()).toEqual([
      ['would_hold', 'ambiguous_reference', {}],
      ['would_hold', 'unproven_identity', {}],
    ]);
  });

  it('holds only the target that finds rows by a value that the lookup does not give any more', async () => {
    world.query('UPDATE crm SET no = NULL');
    expect(await preview()).toEqual([
      ['would_erase', null, { crm: 1 }],
      ['would_hold', 'unproven_identity', {}],
    ]);
    world.query('DELETE FROM orders WHERE id = 1');
    expect(await preview()).toEqual([
      ['would_erase', null, { crm: 1 }],
      ['would_hold', 'no_usable_identity', {}],
    ]);
  });
});
