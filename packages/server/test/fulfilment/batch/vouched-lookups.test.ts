// Rows that gave a looked-up identity are erased for the request: whether its other targets may still use the identity.
import { afterEach, describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { type Connector, type Found, TargetDown } from '../../../src/domain/target/connector.ts';
import { type LookupWorld, MANUAL, openLookupWorld } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email TEXT, no TEXT, note TEXT DEFAULT 'n');
  CREATE TABLE letters (id INTEGER PRIMARY KEY, email TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT);
  INSERT INTO crm (id, email, no) VALUES (1, 'jane@x.org', '9');
  INSERT INTO orders VALUES (1, '9'), (2, '8');`;
const RESOLVE =
  'resolve: { table: crm, from: { email: email }, to: { controller_customer_id: no } }';
const CRM = [RESOLVE, 'tables: [{ table: crm, match: { email: email } }]'];
const OVERWRITTEN = [
  RESOLVE,
  'tables: [{ table: crm, match: { email: email }, action: { overwrite: { email: { unique: "e-{random}@example.invalid" } } } }]',
];
const SHOP = ['tables: [{ table: orders, match: { controller_customer_id: customer } }]'];
const PREVIEWED = 'mode: preview';

const UNPROVEN = { state: 'held', reason: 'unproven_identity' };

/** As an endpoint answers. */
const numbersOf = ({ counts, retained, outcome, sharedWith }: Found): Found => ({
  ...{ counts, retained, outcome, sharedWith, keys: {} },
});

describe('an identity that was looked up in rows that are erased', () => {
  let world: LookupWorld;
  afterEach(() => world.close());

  async function open(schema: string, targets: Parameters<typeof openLookupWorld>[1]) {
    world = await openLookupWorld(schema, targets);
    return world.request('jane@x.org');
  }

  async function releaseAndRun(
    request: Parameters<LookupWorld['release']>[0],
    ...names: readonly string[]
  ) {
    for (const name of names) {
      await world.release(request, name);
      await world.run(name);
    }
  }

  it.each([
    ['before', ['shop', 'crm']],
    ['after', ['crm', 'shop']],
  ])('is used %s the row was overwritten and kept it', async (_, order) => {
    const request = await open(SCHEMA, { crm: OVERWRITTEN, shop: SHOP });
    await world.run('crm');
    for (const name of order) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    expect(world.ids('orders')).toEqual([2]);
  });

  it('is used after another target has overwritten the row, and is held if it is in another row by now', async () => {
    const writes = OVERWRITTEN.slice(1);
    const reads = [RESOLVE, ...SHOP];
    const request = await open(SCHEMA, { writes, reads });
    for (const name of ['reads', 'writes']) await world.run(name);
    expect(world.query("SELECT email FROM crm WHERE email = 'jane@x.org'")).toEqual([]);
    world.query("UPDATE crm SET email = 'carl@x.org'");
    await world.run('reads');
    expect(await world.task(request, 'reads')).toMatchObject({ reason: 'ambiguous_reference' });
    world.query('DELETE FROM crm');
    await releaseAndRun(request, 'reads');
    expect(await world.statusOf(request)).toBe('completed');
    expect(world.ids('orders')).toEqual([2]);
  });

  it.each([
    ['corrected', 'UPDATE crm SET no = NULL WHERE id = 1', []],
    ['deleted by another process', 'DELETE FROM crm WHERE id = 1', ["(2, 'jane@x.org', '7')"]],
    [
      'corrected to another',
      "UPDATE crm SET no = '8' WHERE id = 1",
      ["(2, 'jane@x.org', '8')"] as string[],
    ],
  ])('is not used if its row was %s before other rows were erased', async (_, change, more) => {
    const rows = more.map((row) => `INSERT INTO crm (id, email, no) VALUES ${row};`).join('');
    const request = await open(SCHEMA + rows, {
      crm: [...CRM, PREVIEWED],
      shop: [...SHOP, PREVIEWED],
    });
    await world.run('crm');
    for (const name of ['crm', 'shop']) await world.run(name);
    world.query(change);
    await releaseAndRun(request, 'crm', 'shop');
    expect(world.query("SELECT id FROM crm WHERE email = 'jane@x.org'")).toEqual([]);
    expect(await world.task(request, 'shop')).toMatchObject(UNPROVEN);
    expect(world.ids('orders')).toEqual([1, 2]);
  });

  it('is not used if another kind of row was erased, and its own was deleted by another process', async () => {
    const request = await open(
      `CREATE TABLE props (id INTEGER PRIMARY KEY, name TEXT, value TEXT, uid TEXT);
       CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT);
       INSERT INTO props VALUES (1, 'email', 'jane@x.org', '9'), (2, 'backup', 'jane@x.org', NULL);
       INSERT INTO orders VALUES (1, '9');`,
      {
        crm: [
          'resolve: { table: props, where: { name: email }, from: { email: value }, to: { controller_customer_id: uid } }',
          'tables: [{ table: props, match: { email: value } }]',
          PREVIEWED,
        ],
        shop: [...SHOP, PREVIEWED],
      },
    );
    await world.run('crm');
    for (const name of ['crm', 'shop']) await world.run(name);
    world.query('DELETE FROM props WHERE id = 1');
    await releaseAndRun(request, 'crm', 'shop');
    expect(world.ids('props')).toEqual([]);
    expect(await world.task(request, 'shop')).toMatchObject(UNPROVEN);
    expect(world.ids('orders')).toEqual([1]);
  });

  it('is not used if the row was overwritten, gave it still, and was corrected later', async () => {
    const request = await open(SCHEMA, {
      crm: [
        RESOLVE,
        'tables: [{ table: crm, match: { email: email }, action: { overwrite: { note: null } } }]',
      ],
      shop: [...SHOP, PREVIEWED],
    });
    await world.run('crm');
    for (const name of ['crm', 'shop']) await world.run(name);
    world.query("UPDATE crm SET no = '7'");
    await releaseAndRun(request, 'shop');
    expect(await world.task(request, 'shop')).toMatchObject(UNPROVEN);
    expect(world.ids('orders')).toEqual([1, 2]);
  });

  it('is not used if it was corrected while a target erased that does not touch its table', async () => {
    const request = await open(SCHEMA, {
      crm: [...CRM, PREVIEWED],
      letters: ['tables: [{ table: letters, match: { email: email } }]'],
      shop: [...SHOP, PREVIEWED],
    });
    world.query("INSERT INTO letters VALUES (1, 'jane@x.org')");
    await world.run('crm');
    await world.run('letters', (own) => ({
      async erase(orders) {
        const answers = await own.erase(orders);
        world.query('UPDATE crm SET no = NULL');
        return answers;
      },
    }));
    for (const name of ['crm', 'shop']) await world.run(name);
    expect(world.ids('letters')).toEqual([]);
    expect(await world.task(request, 'shop')).toMatchObject(UNPROVEN);
    expect(world.ids('orders')).toEqual([1, 2]);
  });

  it.each([
    ['corrected', 'UPDATE crm SET no = NULL'],
    ['corrected to another', "UPDATE crm SET no = '7'"],
  ])('is not used if it was %s while an endpoint erased something else', async (_, change) => {
    const request = await open(SCHEMA, {
      crm: [...CRM, PREVIEWED],
      letters: [
        'sql: { preview: "SELECT count(*) FROM letters WHERE email = :email", erase: ["DELETE FROM letters WHERE email = :email"], verify: "SELECT count(*) FROM letters WHERE email = :email" }',
      ],
      shop: [...SHOP, PREVIEWED],
    });
    world.query("INSERT INTO letters VALUES (1, 'jane@x.org')");
    await world.run('crm');
    await world.run('letters', (own) => ({
      async erase(orders) {
        const answers = await own.erase(orders);
        world.query(change);
        return answers;
      },
    }));
    expect(world.ids('letters')).toEqual([]);
    for (const name of ['crm', 'shop']) await world.run(name);
    expect(await world.task(request, 'shop')).toMatchObject(UNPROVEN);
    expect(world.ids('orders')).toEqual([1, 2]);
  });

  it('is not used if the lookup was another when it was erased', async () => {
    const request = await open(SCHEMA, {
      crm: [RESOLVE.replace('no }', 'note }'), ...CRM.slice(1)],
      shop: [...SHOP, PREVIEWED],
    });
    world.query("INSERT INTO orders VALUES (4, 'n')");
    for (const name of ['crm', 'crm', 'shop']) await world.run(name);
    await world.configure({ crm: CRM, shop: [...SHOP, PREVIEWED] });
    await releaseAndRun(request, 'shop');
    expect(await world.task(request, 'shop')).toMatchObject(UNPROVEN);
    expect(world.ids('orders')).toEqual([1, 2, 4]);
  });

  it('is held if another row without an address has it by now', async () => {
    const request = await open(SCHEMA, {
      crm: [
        RESOLVE,
        'tables: [{ table: crm, match: { email: email }, action: { overwrite: { email: null } } }]',
      ],
      shop: [...SHOP, PREVIEWED],
    });
    for (const name of ['crm', 'crm', 'shop']) await world.run(name);
    world.query('DELETE FROM crm; ');
    world.query("INSERT INTO crm (id, no) VALUES (8, '9')");
    await releaseAndRun(request, 'shop');
    expect(await world.task(request, 'shop')).toMatchObject({ reason: 'ambiguous_reference' });
    expect(world.ids('orders')).toEqual([1, 2]);
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
    ['has erased the row', 'erased'],
    ['has erased the row and its answer was lost', 'lost'],
    ['has erased the row and more than was asked', 'more'],
  ])('is used after an endpoint of the request %s', async (_, how) => {
    const request = await open(SCHEMA, {
      look: [RESOLVE, 'tables: [{ table: letters, match: { email: email } }]'],
      gateway: ['tables: [{ table: crm, match: { email: email } }]'],
      shop: SHOP,
    });
    await world.run('look');
    let attempts = 0;
    const endpoint = (own: Connector): Partial<Connector> => ({
      ...own,
      settle: undefined as never,
      async preview(subjects) {
        const found = await own.preview(subjects);
        return found.map((one) => (one.outcome === 'found' ? numbersOf(one) : one));
      },
      async erase(orders) {
        world.query("DELETE FROM crm WHERE email = 'jane@x.org'");
        if (how === 'lost' && attempts++ === 0) throw new TargetDown('reset', 'it was reset');
        const held = { outcome: 'held', reason: 'more_than_previewed', detail: 'more' } as const;
        return orders.map(() =>
          how === 'more'
            ? { ...held, erased: { crm: 1 } }
            : { outcome: 'erased', counts: { crm: 1 } },
        );
      },
      verify: async (orders) => orders.map(() => ({ outcome: 'gone', how: 'reported' })),
    });
    await world.run('gateway', endpoint);
    world.world.clock.now += 3_600_000;
    if (how === 'more') await world.release(request, 'gateway');
    await world.run('gateway', endpoint);
    expect(await world.task(request, 'gateway')).toMatchObject({ state: 'erased' });
    for (const name of ['shop', 'look']) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    expect(world.ids('orders')).toEqual([2]);
  });

  it('is dropped for all tasks that are held for it, and for manual ones', async () => {
    const request = await open(
      `${SCHEMA} CREATE TABLE archive (id INTEGER PRIMARY KEY, customer TEXT); INSERT INTO archive VALUES (1, '9');`,
      {
        crm: [...CRM, PREVIEWED],
        shop: [...SHOP, PREVIEWED],
        archive: [
          'tables: [{ table: archive, match: { controller_customer_id: customer }, when_unmatched: skip }]',
          PREVIEWED,
        ],
        paper: [MANUAL],
      },
    );
    await world.run('crm');
    for (const name of ['crm', 'shop', 'archive']) await world.run(name);
    world.query('UPDATE crm SET no = NULL');
    await releaseAndRun(request, 'crm', 'shop', 'archive');
    for (const name of ['shop', 'archive'])
      expect(await world.task(request, name)).toMatchObject(UNPROVEN);
    await releaseAndRun(request, 'archive');
    expect(await world.task(request, 'archive')).toMatchObject({ state: 'erased' });
    expect([world.ids('archive'), world.ids('orders')]).toEqual([[1], [1, 2]]);
  });

  it('is used in a later run that was there when it was erased', async () => {
    const request = await open(
      `${SCHEMA} INSERT INTO crm (id, email, no) VALUES (3, 'jane2@x.org', '8');`,
      { crm: CRM, shop: SHOP, paper: [MANUAL] },
    );
    await world.run('crm');
    for (const name of ['crm', 'shop']) await world.run(name);
    await world.identify(request, [new Identity('email', 'jane2@x.org')]);
    for (let rounds = 0; rounds < 3; rounds++) await world.run('crm');
    expect(world.ids('crm')).toEqual([]);
    await world.run('shop');
    expect(await world.task(request, 'shop')).toMatchObject({ state: 'erased', run: 2 });
    expect(world.ids('orders')).toEqual([]);
  });

  it('is held if another row has got it before a second attempt', async () => {
    const request = await open(SCHEMA, { crm: CRM, shop: [...SHOP, PREVIEWED] });
    await world.run('crm');
    await world.run('crm', (own) => ({
      async verify(orders) {
        world.query("INSERT INTO crm (id, email) VALUES (5, 'jane@x.org')");
        return own.verify(orders);
      },
    }));
    expect(await world.task(request, 'crm')).toMatchObject({ state: 'failed' });
    world.query("INSERT INTO crm (id, email, no) VALUES (6, 'carl@x.org', '9')");
    world.world.clock.now += 3_600_000;
    await world.run('crm');
    expect(world.ids('crm')).toEqual([6]);
    await world.run('shop');
    expect(await world.task(request, 'shop')).toMatchObject({ reason: 'ambiguous_reference' });
  });

  it('is used if one target after the other has overwritten its row', async () => {
    const request = await open(SCHEMA, {
      crm: OVERWRITTEN,
      again: [
        'tables: [{ table: crm, match: { controller_customer_id: no }, action: { overwrite: { email: null } } }]',
      ],
      shop: SHOP,
    });
    await world.run('crm');
    for (const name of ['crm', 'again', 'shop']) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    expect(world.ids('orders')).toEqual([2]);
  });

  it('is not used because hand-written statements erased something else', async () => {
    const request = await open(
      `${SCHEMA} CREATE TABLE news (id INTEGER PRIMARY KEY, email TEXT); INSERT INTO news VALUES (1, 'jane@x.org');`,
      {
        crm: [...CRM, PREVIEWED],
        news: [
          'sql: { preview: "SELECT count(*) FROM news WHERE email = :email", erase: ["DELETE FROM news WHERE email = :email"], verify: "SELECT count(*) FROM news WHERE email = :email" }',
        ],
        shop: [...SHOP, PREVIEWED],
      },
    );
    await world.run('crm');
    for (const name of ['news', 'crm', 'shop']) await world.run(name);
    expect(world.ids('news')).toEqual([]);
    world.query('DELETE FROM crm');
    await releaseAndRun(request, 'shop');
    expect(await world.task(request, 'shop')).toMatchObject(UNPROVEN);
    expect(world.ids('orders')).toEqual([1, 2]);
  });

  it('is used after hand-written statements have erased its row', async () => {
    const request = await open(SCHEMA, {
      crm: [
        RESOLVE,
        'sql: { preview: "SELECT count(*) FROM crm WHERE email = :email", erase: ["DELETE FROM crm WHERE email = :email"], verify: "SELECT count(*) FROM crm WHERE email = :email" }',
      ],
      shop: SHOP,
    });
    await world.run('crm');
    for (const name of ['crm', 'shop']) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    expect(world.ids('orders')).toEqual([2]);
  });

  it.each([
    ['is used after the worker that deleted the row was killed before it said so', CRM, 'erased'],
    ['is held where that worker overwrote a row that still has it', OVERWRITTEN, 'held'],
  ])('%s', async (_, crm, state) => {
    const request = await open(SCHEMA, { crm, shop: SHOP });
    await world.run('crm');
    const { promise, resolve } = Promise.withResolvers<void>();
    void world.run('crm', (own) => ({
      async erase(orders) {
        await own.erase(orders);
        resolve();
        return new Promise(() => undefined);
      },
    }));
    await promise;
    world.world.clock.now += 3_600_000;
    for (const name of ['crm', 'shop']) await world.run(name);
    expect(await world.task(request, 'shop')).toMatchObject({ state });
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
    ['two targets', { crm: CRM, shop: SHOP }],
  ])('is not used by another run of %s', async (_, targets) => {
    const request = await open(SCHEMA, { ...targets, paper: [MANUAL] });
    const names = Object.keys(targets);
    await world.run('crm');
    for (const name of names) await world.run(name);
    expect([world.ids('crm'), world.ids('orders')]).toEqual([[], [2]]);
    world.query("INSERT INTO orders VALUES (3, '9')");
    await world.identify(request, [new Identity('email', 'jane2@x.org')]);
    for (let rounds = 0; rounds < 2; rounds++) for (const name of names) await world.run(name);
    expect(world.ids('orders')).toEqual([2, 3]);
    expect(await world.task(request, names.at(-1) ?? '')).toMatchObject(UNPROVEN);
  });

  it('is not sent to a target that names no rows, if it is not proven and finds nothing more', async () => {
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
