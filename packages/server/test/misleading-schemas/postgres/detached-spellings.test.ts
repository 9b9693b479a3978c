// Rows that are detached refer in a spelling that the collation takes for equal to one of several rows that go.
import { expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { itOn, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  CREATE TABLE people (id INTEGER PRIMARY KEY, no INTEGER, email VARCHAR(60) COLLATE loose UNIQUE);
  CREATE TABLE items (id INTEGER, email VARCHAR(60) COLLATE loose REFERENCES people (email) ON DELETE CASCADE);
  INSERT INTO people VALUES (1, 3, 'ann@x.org'), (2, 3, 'ann@x.org '), (3, 4, 'bob@x.org');
  INSERT INTO items VALUES (10, 'ANN@X.ORG'), (20, 'bob@x.org')`;

itOn('PostgreSQL')('a row is detached from the spelling that it refers to', () =>
  withTarget(
    'PostgreSQL',
    SCHEMA,
    [
      'tenancy: none',
      tables('{ table: people, match: { controller_customer_id: no } }'),
      'detach: [items.email]',
    ],
    async (shop) => {
      const request = await shop.request([new Identity('controller_customer_id', '3')]);
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query('SELECT id FROM items WHERE email IS NULL')).toEqual([{ id: 10 }]);
      expect(await shop.count('people')).toBe(1);
    },
  ),
);
