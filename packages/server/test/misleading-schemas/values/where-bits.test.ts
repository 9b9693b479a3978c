// BIT columns of MySQL and MariaDB, which hold the truth values of many applications.
import { expect } from 'vitest';
import { itOn, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `CREATE TABLE c (id INT PRIMARY KEY, email VARCHAR(99), active BIT(1) NOT NULL, flags BIT(9));
  INSERT INTO c VALUES (1, 'jane@x.org', b'1', 300), (2, 'jane@x.org', b'0', 300), (3, 'jane@x.org', b'1', NULL), (4, 'bob@x.org', b'1', 300)`;

for (const [where, left] of [
  ['active: 1', [2, 4]],
  ['active: true', [2, 4]],
  ['active: false', [1, 3, 4]],
  ['active: { not: true }', [1, 3, 4]],
  ['flags: 300', [3, 4]],
  ['active: 1, flags: [300, null]', [2, 4]],
] as const)
  itOn('MariaDB')(`where: { ${where} }`, () =>
    withTarget(
      'MariaDB',
      SCHEMA,
      ['tenancy: none', tables(`{ table: c, where: { ${where} }, match: { email: email } }`)],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        const rows = await shop.query('SELECT id FROM c ORDER BY id');
        expect(rows.map(({ id }) => Number(id))).toEqual(left);
      },
    ),
  );

itOn('MariaDB')('a value that a BIT column cannot hold is refused', () =>
  withTarget(
    'MariaDB',
    SCHEMA,
    ['tenancy: none', tables('{ table: c, where: { active: 2 }, match: { email: email } }')],
    async (shop) => {
      expect(await shop.problems()).toEqual([expect.stringContaining('active')]);
    },
  ),
);
