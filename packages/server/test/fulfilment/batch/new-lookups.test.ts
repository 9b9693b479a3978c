// A lookup that not every node knows, or that was configured when the request was under way already.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { type LookupWorld, openLookupWorld } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT, no TEXT);
  CREATE TABLE tickets (id INTEGER PRIMARY KEY, email TEXT, customer TEXT);
  INSERT INTO customers VALUES (1, 'jane@x.org', '9'), (2, 'carl@x.org', '8');
  INSERT INTO tickets VALUES (1, 'jane@x.org', NULL), (2, NULL, '9'), (3, 'carl@x.org', '8');`;
const RESOLVE =
  'resolve: { table: customers, from: { email: email }, to: { controller_customer_id: no } }';
const RETAINED = 'tables: [{ table: customers, match: { email: email }, action: { retain: law } }]';
const CRM = [
  'tables: [{ table: tickets, match: { email: email, controller_customer_id: customer } }]',
];
const OLD = { dir: [RETAINED], crm: CRM };
const NEW = { dir: [RESOLVE, RETAINED], crm: CRM };
const NUMBER = new Identity('controller_customer_id', '9');

describe('a lookup that was configured later', () => {
  let world: LookupWorld;
  beforeEach(async () => {
    world = await openLookupWorld(SCHEMA, OLD);
  });
  afterEach(() => world.close());

  it('holds a target that is found by what it gives, until that is known', async () => {
    const request = await world.request('jane@x.org');
    await world.run('dir');
    await world.configure(NEW);
    await world.run('crm');
    expect(await world.task(request, 'crm')).toMatchObject({
      state: 'held',
      reason: 'ambiguous_reference',
      detail: expect.stringContaining('gives another controller_customer_id'),
    });
    expect(world.ids('tickets')).toEqual([1, 2, 3]);
    await world.identify(request, [NUMBER]);
    await world.release(request, 'crm');
    for (const name of ['dir', 'dir', 'crm']) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    expect(world.ids('tickets')).toEqual([3]);
  });

  it('holds nothing if it gives no new identity', async () => {
    const request = await world.request('jane@x.org');
    await world.run('dir');
    world.query('UPDATE customers SET no = NULL WHERE id = 1');
    await world.configure(NEW);
    await world.run('crm');
    expect(await world.statusOf(request)).toBe('completed');
    expect(world.ids('tickets')).toEqual([2, 3]);
  });
});

describe('too many values of a lookup', () => {
  it('do not hold a target that only uses them if an operator has added the right ones', async () => {
    const resolve = RESOLVE.replace(' no } }', ' no }, limit: 1 }');
    const world = await openLookupWorld(SCHEMA, { dir: [resolve, RETAINED], crm: CRM });
    world.query("INSERT INTO customers VALUES (3, 'jane@x.org', '7')");
    const request = await world.request('jane@x.org');
    await world.run('dir');
    await world.identify(request, [NUMBER]);
    await world.release(request, 'dir');
    for (const name of ['crm', 'dir']) await world.run(name);
    expect(await world.task(request, 'crm')).toMatchObject({ state: 'erased' });
    expect(world.ids('tickets')).toEqual([3]);
    await world.close();
  });
});

describe('a node whose configuration lacks a lookup that the request was planned with', () => {
  let world: LookupWorld;
  beforeEach(async () => {
    world = await openLookupWorld(SCHEMA, NEW);
  });
  afterEach(() => world.close());

  it('leaves it to other nodes', async () => {
    const request = await world.request('jane@x.org');
    await world.configure(OLD);
    for (const name of ['dir', 'dir', 'crm']) await world.run(name);
    expect(await world.task(request, 'dir')).toMatchObject({
      state: 'failed',
      phase: 'resolve',
      reason: 'no_lookup',
    });
    await world.configure(NEW);
    world.world.clock.now += 60_000;
    for (const name of ['dir', 'dir', 'crm']) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    expect(world.ids('tickets')).toEqual([3]);
  });

  it('holds it after three attempts, and continues without the lookup if an operator says so', async () => {
    const request = await world.request('jane@x.org');
    await world.configure(OLD);
    for (let tries = 0; tries < 5; tries++) {
      await world.run('dir');
      world.world.clock.now += 300_000;
    }
    expect(await world.task(request, 'dir')).toMatchObject({
      state: 'held',
      reason: 'lookup_removed',
      phase: 'resolve',
      detail: expect.stringContaining('put "resolve" back'),
    });
    await world.run('crm');
    expect(world.ids('tickets')).toEqual([1, 2, 3]);
    await world.identify(request, [NUMBER]);
    await world.release(request, 'dir');
    for (const name of ['dir', 'dir', 'crm']) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    expect(world.ids('tickets')).toEqual([3]);
  });
});
