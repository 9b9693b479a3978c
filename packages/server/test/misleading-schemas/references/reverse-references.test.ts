// Rows that the person's rows refer to: an address, a household. They are hers as long as no row of anybody else does.
import { expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { describeOnEach, itOn, tables, withTarget } from '../misled-target.ts';

const ADDRESSES = `
  CREATE TABLE addresses (id INTEGER PRIMARY KEY, street VARCHAR(100));
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(100), billing_id INTEGER, shipping_id INTEGER);
  INSERT INTO addresses VALUES (1, 'bill'), (2, 'ship'), (3, 'both'), (4, 'bob');
  INSERT INTO users VALUES (1, 'jane@x.org', 1, 2), (2, 'jane@x.org', 3, 3), (3, 'bob@x.org', 3, 4)`;
const addresses = (shared: string) => [
  'tenancy: none',
  tables(
    `{ table: addresses, via: { users: [ { id: billing_id }, { id: shipping_id } ] }, shared: ${shared} }`,
    '{ table: users, match: { email: email } }',
  ),
];

const HOUSEHOLD = `
  CREATE TABLE households (id INTEGER PRIMARY KEY, name VARCHAR(100));
  CREATE TABLE members (id INTEGER PRIMARY KEY, household_id INTEGER, email VARCHAR(100));
  CREATE TABLE payments (id INTEGER PRIMARY KEY, household_id INTEGER);
  INSERT INTO households VALUES (1, 'ours'), (2, 'theirs');
  INSERT INTO members VALUES (1, 1, 'jane@x.org'), (2, 1, 'joe@x.org'), (3, 2, 'bob@x.org');
  INSERT INTO payments VALUES (10, 1), (20, 2)`;
const HOUSEHOLDS = [
  'tenancy: none',
  tables(
    '{ table: payments, via: { households: { household_id: id } } }',
    '{ table: households, via: { members: { id: household_id } }, shared: keep }',
    '{ table: members, match: { email: email } }',
  ),
];

describeOnEach('on %s, rows that several columns refer to', (kind) => {
  itOn(kind)('are the person’s where only her rows refer to them', () =>
    withTarget(kind, ADDRESSES, addresses('keep'), async (shop) => {
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect((await shop.evidenceOf(request))?.tables?.addresses).toEqual({
        action: 'delete',
        rows: 2,
        shared_kept: 1,
      });
      expect(await shop.count('addresses WHERE id IN (3, 4)')).toBe(2);
      expect(await shop.count('addresses')).toBe(2);
    }),
  );

  itOn(kind)('are held only where others refer to them too', () =>
    withTarget(kind, ADDRESSES, addresses('hold'), async (shop) => {
      await shop.query('UPDATE users SET billing_id = NULL WHERE id = 3');
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.count('addresses')).toBe(1);
    }),
  );

  itOn(kind)('are the person’s where an identity finds them and no row refers to them', () =>
    withTarget(
      kind,
      `CREATE TABLE partners (id INTEGER PRIMARY KEY, email VARCHAR(100));
      CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(100), partner_id INTEGER);
      INSERT INTO partners VALUES (1, 'jane@x.org'), (2, 'bob@x.org')`,
      [
        'tenancy: none',
        tables(
          '{ table: partners, match: { email: email }, via: { users: { id: partner_id } }, shared: keep }',
          '{ table: users, match: { email: email } }',
        ),
      ],
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count('partners')).toBe(1);
      },
    ),
  );

  itOn(kind)('go with the last of several people who are erased at the same time', () =>
    withTarget(kind, HOUSEHOLD, HOUSEHOLDS, async (shop) => {
      const jane = await shop.request();
      const joe = await shop.request([new Identity('email', 'joe@x.org')]);
      await shop.run();
      expect(await shop.statusOf(jane)).toBe('completed');
      expect(await shop.statusOf(joe)).toBe('completed');
      expect(await shop.count('households')).toBe(1);
      expect(await shop.count('payments')).toBe(1);
      expect((await shop.evidenceOf(joe))?.tables).toMatchObject({
        households: { rows: 1 },
        payments: { rows: 1 },
        members: { rows: 1 },
      });
      expect((await shop.evidenceOf(jane))?.tables).toEqual({
        members: { action: 'delete', rows: 1 },
      });
    }),
  );
});
