// Several targets that look up: what one finds leads the others to more, in whichever order they are asked.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LookupWorld, openLookupWorld } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email TEXT, no TEXT);
  CREATE TABLE bill (id INTEGER PRIMARY KEY, no TEXT, mail TEXT);
  CREATE TABLE news (id INTEGER PRIMARY KEY, mail TEXT, renamed_to TEXT);
  CREATE TABLE letters (id INTEGER PRIMARY KEY, mail TEXT);
  CREATE TABLE pings (id INTEGER PRIMARY KEY, mail TEXT);
  INSERT INTO letters VALUES (1, 'jane@private.org'), (2, 'bob@private.org'), (3, 'jane@third.org');
  INSERT INTO pings VALUES (1, 'jane@x.org'), (2, 'jane@second.org'), (3, 'bob@x.org');
  INSERT INTO crm VALUES (1, 'jane@x.org', '7'), (2, 'bob@x.org', '8'), (3, 'jane@third.org', '9');
  INSERT INTO bill VALUES (1, '7', 'jane@private.org'), (2, '8', 'bob@private.org'), (3, '9', NULL);
  INSERT INTO news VALUES (1, 'jane@x.org', NULL), (2, 'jane@private.org', 'jane@second.org'),
    (3, 'bob@private.org', NULL), (4, 'jane@second.org', 'jane@third.org'), (5, 'jane@third.org', NULL);`;

const TARGETS = {
  shop: [
    "resolve: { table: crm, from: { email: email }, to: { controller_customer_id: 'no' } }",
    'tables:',
    "  - { table: bill, match: { controller_customer_id: 'no' } }",
    "  - { table: crm, match: { email: email, controller_customer_id: 'no' } }",
    '  - { table: news, match: { email: [mail, renamed_to] } }',
  ],
  mail: [
    "resolve: { table: bill, from: { controller_customer_id: 'no' }, to: { email: mail } }",
    'tables: [{ table: letters, match: { email: mail } }]',
  ],
  aliases: [
    'resolve: { table: news, from: { email: mail }, to: { email: renamed_to } }',
    'tables: [{ table: pings, match: { email: mail } }]',
  ],
};

const ORDERS = [
  ['shop', 'mail', 'aliases'],
  ['mail', 'aliases', 'shop'],
  ['aliases', 'mail', 'shop'],
];

describe('targets that look up', () => {
  let world: LookupWorld;
  beforeEach(async () => {
    world = await openLookupWorld(SCHEMA, TARGETS);
  });
  afterEach(() => world.close());

  it.each(ORDERS)('find the same in the order %s, %s, %s', async (...order) => {
    const request = await world.request('jane@x.org');
    for (let rounds = 0; rounds < 10; rounds++) for (const name of order) await world.run(name);
    expect(await world.statusOf(request)).toBe('completed');
    expect([world.ids('crm'), world.ids('bill'), world.ids('news')]).toEqual([[2], [2], [3]]);
    expect([world.ids('letters'), world.ids('pings')]).toEqual([[2], [3]]);
  });
});
