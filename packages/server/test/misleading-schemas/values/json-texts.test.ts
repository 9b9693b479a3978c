// MariaDB's JSON is a text with a CHECK, in which an identity has quotes around it.
import { expect } from 'vitest';
import { itOn, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, data JSON, email VARCHAR(60));
  INSERT INTO users VALUES (1, '"jane@x.org"', 'jane@x.org')`;

itOn('MariaDB').each([
  ['matched', [tables('{ table: users, match: { email: data } }')], 'name the place in it'],
  [
    'looked up',
    [
      'resolve: { table: users, from: { email: email }, to: { controller_customer_id: data } }',
      tables('{ table: users, match: { email: email } }'),
    ],
    'hold the values themselves',
  ],
])('a column of JSON that is %s as a whole is refused', (_, settings, way) =>
  withTarget('MariaDB', SCHEMA, ['tenancy: none', ...settings], async (shop) => {
    expect(await shop.problems()).toEqual([
      expect.stringMatching(new RegExp(`the column "data" holds JSON .*${way}`)),
    ]);
  }),
);

itOn('MariaDB')('a place in it is matched', () =>
  withTarget(
    'MariaDB',
    SCHEMA.replace('"jane@x.org"', '{"email": "jane@x.org"}'),
    [
      'tenancy: none',
      tables('{ table: users, match: { email: { column: data, path: "$.email" } } }'),
    ],
    async (shop) => {
      expect(await shop.problems()).toEqual([]);
      await shop.request();
      await shop.run();
      expect(await shop.count('users')).toBe(0);
    },
  ),
);
