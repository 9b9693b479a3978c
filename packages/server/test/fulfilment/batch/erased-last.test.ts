// Rows in which identities are looked up are erased last: the other targets of the request use an identity only while it is given.

import { afterEach, describe, expect, it } from 'vitest';
import { eraseByCall } from '../../../src/connectors/erase-as-previewed.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import { type Connector, type Found, TargetDown } from '../../../src/domain/target/connector.ts';
import { type LookupWorld, MANUAL, openLookupWorld } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email TEXT, no TEXT, note TEXT DEFAULT 'n');
  CREATE TABLE letters (id INTEGER PRIMARY KEY, email TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT);
  INSERT INTO crm (id, email, no) VALUES (1, 'jane@x.org', '9');
  INSERT INTO letters VALUES (1, 'jane@x.org');
  INSERT INTO orders VALUES (1, '9'), (2, '8');`;
const RESOLVE =
  'resolve: { table: crm, from: { email: email }, to: { controller_customer_id: no } }';
const CRM = [RESOLVE, 'tables: [{ table: crm, match: { email: email } }]'];
const SHOP = ['tables: [{ table: orders, match: { controller_customer_id: customer } }]'];
const LETTERS = ['tables: [{ table: letters, match: { email: email } }]'];
const PREVIEWED = 'mode: preview';
const UNPROVEN = { state: 'held', reason: 'unproven_identity' };
const WAITING = { state: 'waiting', dueTime: null };

const statements = (table: string) =>
  `sql: { preview: "SELECT count(*) FROM ${table} WHERE email = :email", erase: ["DELETE FROM ${table} WHERE email = :email"], verify: "SELECT count(*) FROM ${table} WHERE email = :email" }`;

const overwriting = (column: string, value: string) => [
  RESOLVE,
  `tables: [{ table: crm, match: { email: email }, action: { overwrite: { ${column}: ${value} } } }]`,
];

/** As an endpoint answers. */
const numbersOf = ({ counts, retained, outcome, sharedWith }: Found): Found => ({
  counts,
  retained,
  outcome,
  sharedWith,
  keys: {},
});

describe('a target that erases the rows in which identities are looked up', () => {
  let world: LookupWorld;
  afterEach(() => world.close());

  async function open(schema: string, targets: Parameters<typeof openLookupWorld>[1]) {
    world = await openLookupWorld(schema, targets);
    return world.request('jane@x.org');
  }

  async function run(...names: readonly string[]) {
    for (const name of names) await world.run(name);
  }

  it.each([
    ['deletes them', CRM],
    ['overwrites what they are found by', overwriting('email', '{ unique: "{random}@x.invalid" }')],
    ['overwrites what they give', overwriting('no', '{ unique: "{random}" }')],
    ['overwrites something else', overwriting('note', 'null')],
    ['deletes them by statements', [RESOLVE, statements('crm')]],
  ])('waits for the targets that need the identities, where it %s', async (_, crm) => {
    const request = await open(SCHEMA, { crm, shop: SHOP, letters: LETTERS });
    await run('crm', 'crm', 'letters');
    expect(await world.task(request, 'crm')).toMatchObject(WAITING);
    expect(await world.task(request, 'letters')).toMatchObject({ state: 'erased' });
    await run('shop', 'crm');
    expect(await world.statusOf(request)).toBe('completed');
    expect(world.ids('orders')).toEqual([2]);
    expect(world.query("SELECT 1 FROM crm WHERE email = 'jane@x.org' AND no = '9'")).toHaveLength(
      crm.join().includes('note') ? 1 : 0,
    );
  });

  it('waits while one of their tasks is held, retried or taken over, and continues when an operator has retained it', async () => {
    const request = await open(SCHEMA, { crm: CRM, shop: [...SHOP, PREVIEWED] });
    await run('crm', 'shop', 'crm');
    const { taskNo } = await world.task(request, 'shop');
    expect(await world.task(request, 'shop')).toMatchObject({ reason: 'preview_mode' });
    expect(await world.task(request, 'crm')).toMatchObject(WAITING);
    await world.release(request, 'shop');
    await world.run('shop', () => ({
      erase: async () => {
        throw new TargetDown('reset', 'it was reset');
      },
    }));
    await run('crm');
    expect(await world.task(request, 'crm')).toMatchObject(WAITING);
    await world.retain(taskNo);
    await run('crm');
    expect(await world.statusOf(request)).toBe('completed');
    expect([world.ids('crm'), world.ids('orders')]).toEqual([[], [1, 2]]);
  });

  it('leaves the proof for a second attempt of the others', async () => {
    const request = await open(SCHEMA, { crm: CRM, shop: SHOP });
    await run('crm');
    await world.run('shop', (own) => ({
      async erase(orders, record) {
        const answers = await own.erase(orders, record);
        world.query("INSERT INTO orders VALUES (3, '9')");
        return answers;
      },
    }));
    expect(await world.task(request, 'shop')).toMatchObject({ reason: 'still_there' });
    world.world.clock.now += 3_600_000;
    await run('crm', 'shop', 'crm');
    expect(await world.statusOf(request)).toBe('completed');
    expect([world.ids('crm'), world.ids('orders')]).toEqual([[], [2]]);
    expect((await world.task(request, 'shop')).evidence?.tables).toEqual({
      orders: { action: 'delete', rows: 2 },
    });
  });

  it('is completed after its worker was killed, without what it had looked up', async () => {
    const request = await open(SCHEMA, { crm: CRM, shop: SHOP });
    await run('crm', 'shop');
    const { promise, resolve } = Promise.withResolvers<void>();
    void world.run('crm', (own) => ({
      async erase(orders, record) {
        await own.erase(orders, record);
        resolve();
        return new Promise(() => undefined);
      },
    }));
    await promise;
    world.world.clock.now += 3_600_000;
    await run('crm');
    expect(await world.statusOf(request)).toBe('completed');
    expect((await world.task(request, 'crm')).evidence?.tables).toEqual({
      crm: { action: 'delete', rows: 0, unconfirmed: 1 },
    });
  });

  it('waits for a manual target only if "after" says so', async () => {
    const request = await open(SCHEMA, { crm: CRM, paper: [MANUAL] });
    await run('crm', 'crm');
    expect(world.ids('crm')).toEqual([]);
    await world.close();
    const other = await open(SCHEMA, { crm: [...CRM, 'after: [paper]'], paper: [MANUAL] });
    await run('crm', 'crm');
    expect(world.ids('crm')).toEqual([1]);
    await world.retain((await world.task(other, 'paper')).taskNo);
    await run('crm');
    expect(world.ids('crm')).toEqual([]);
    expect(request).not.toEqual(other);
  });

  it('waits again if identities are added before it has erased', async () => {
    const more = "INSERT INTO crm (id, email, no) VALUES (3, 'jane2@x.org', '8');";
    const request = await open(SCHEMA + more, { crm: [...CRM, PREVIEWED], shop: SHOP });
    await run('crm', 'shop', 'crm');
    expect(await world.task(request, 'crm')).toMatchObject({ reason: 'preview_mode' });
    await world.identify(request, [new Identity('email', 'jane2@x.org')]);
    await run('crm', 'crm');
    expect(await world.task(request, 'crm')).toMatchObject(WAITING);
    await run('shop', 'crm');
    await world.release(request, 'crm');
    await run('crm');
    expect(await world.statusOf(request)).toBe('completed');
    expect([world.ids('crm'), world.ids('orders')]).toEqual([[], []]);
  });
});

describe('an identity that was looked up', () => {
  let world: LookupWorld;
  afterEach(() => world.close());

  async function open(schema: string, targets: Parameters<typeof openLookupWorld>[1]) {
    world = await openLookupWorld(schema, targets);
    return world.request('jane@x.org');
  }

  it.each([
    ['corrected', 'UPDATE crm SET no = NULL'],
    ['corrected to another', "UPDATE crm SET no = '7'"],
    ['removed with its row', 'DELETE FROM crm'],
    ['given to another person', "UPDATE crm SET email = 'carl@x.org'"],
  ])('is not used where it was %s after the request had started', async (_, change) => {
    const request = await open(SCHEMA, { crm: CRM, letters: LETTERS, shop: SHOP });
    await world.run('crm');
    await world.run('letters');
    world.query(change);
    for (const name of ['shop', 'crm']) await world.run(name);
    expect(await world.task(request, 'shop')).toMatchObject(UNPROVEN);
    expect(await world.task(request, 'crm')).toMatchObject(WAITING);
    expect(world.ids('orders')).toEqual([1, 2]);
  });

  it.each([
    ['deleted the row', 'DELETE FROM crm'],
    ['left the number to another person', "UPDATE crm SET email = 'carl@x.org'"],
  ])('is not used after an endpoint that is not known to has %s', async (_, change) => {
    const request = await open(SCHEMA, {
      look: [RESOLVE, ...LETTERS],
      gateway: ['tables: [{ table: letters, match: { email: email } }]'],
      shop: SHOP,
    });
    await world.run('look');
    const endpoint = (own: Connector): Partial<Connector> => ({
      erase: eraseByCall(
        async (subjects) => {
          const found = await own.preview(subjects);
          return found.map((one) => (one.outcome === 'found' ? numbersOf(one) : one));
        },
        async (orders) => {
          world.query(change);
          return orders.map(({ counts }) => ({ outcome: 'erased', counts }));
        },
      ),
      verify: async (orders) => orders.map(() => ({ outcome: 'gone', how: 'reported' })),
    });
    await world.run('gateway', endpoint);
    expect(await world.task(request, 'gateway')).toMatchObject({ state: 'erased' });
    await world.run('shop');
    expect(await world.task(request, 'shop')).toMatchObject(UNPROVEN);
    expect(world.ids('orders')).toEqual([1, 2]);
    await world.identify(request, [new Identity('controller_customer_id', '9')]);
    await world.release(request, 'shop');
    for (const name of ['look', 'look', 'gateway', 'shop']) await world.run(name);
    expect(world.ids('orders')).toEqual([2]);
  });

  it('is not used by a first run that an operator asked for after the completion', async () => {
    const request = await open(SCHEMA, { crm: CRM });
    for (let rounds = 0; rounds < 2; rounds++) await world.run('crm');
    expect(await world.statusOf(request)).toBe('completed');
    await world.configure({ crm: CRM, shop: SHOP });
    await world.eraseAgain('shop');
    await world.run('shop');
    expect(await world.task(request, 'shop')).toMatchObject(UNPROVEN);
    expect(world.ids('orders')).toEqual([1, 2]);
  });

  it.each([
    [
      'one target',
      {
        crm: [
          RESOLVE,
          'tables: [{ table: crm, match: { email: email } }, { table: orders, match: { controller_customer_id: customer } }]',
        ],
      },
    ],
    ['two targets', { shop: SHOP, crm: CRM }],
  ])('is not used by another run of %s after the rows were erased', async (_, targets) => {
    const request = await open(SCHEMA, { ...targets, paper: [MANUAL] });
    const names = Object.keys(targets);
    await world.run('crm');
    for (const name of names) await world.run(name);
    expect([world.ids('crm'), world.ids('orders')]).toEqual([[], [2]]);
    world.query("INSERT INTO orders VALUES (3, '9')");
    await world.identify(request, [new Identity('email', 'jane2@x.org')]);
    for (let rounds = 0; rounds < 2; rounds++) for (const name of names) await world.run(name);
    expect(world.ids('orders')).toEqual([2, 3]);
    expect(await world.task(request, names[0] ?? '')).toMatchObject(UNPROVEN);
  });

  it('is not sent to a target without keys if it is unproven and finds no further rows', async () => {
    const request = await open(SCHEMA, {
      crm: [...CRM, PREVIEWED],
      shop: [
        'tables: [{ table: orders, match: { controller_customer_id: customer, email: customer } }]',
      ],
    });
    world.query("UPDATE orders SET customer = 'jane@x.org' WHERE id = 1");
    await world.run('crm');
    world.query('UPDATE crm SET no = NULL');
    const sent: string[][] = [];
    await world.run('shop', (own) => ({
      async preview(subjects) {
        const found = await own.preview(subjects);
        return found.map((one) => (one.outcome === 'found' ? numbersOf(one) : one));
      },
      async erase(orders) {
        sent.push(...orders.map(({ identities }) => identities.map(({ type }) => type)));
        return orders.map(() => ({ outcome: 'failed', code: 'x', detail: 'not here' }));
      },
    }));
    expect(sent).toEqual([['email']]);
    expect(await world.task(request, 'shop')).toMatchObject({ state: 'failed', reason: 'x' });
  });
});
