// Tenants in types that have several spellings for one value: what is spelt differently is held, not left behind.
import { describe, expect } from 'vitest';
import { held, itOn, tables, withTarget } from '../misled-target.ts';

const KIND = 'PostgreSQL';
const plan = (tenant: string) => [
  'tenant_column: shop',
  `tenants: { acme: "${tenant}" }`,
  tables('{ table: people, match: { email: email } }'),
];

describe.each([
  ['inet', '10.0.0.1', '10.0.0.1', '10.0.0.1/32'],
  ['cidr', '10.0.0.1', '10.0.0.1/32', '10.0.0.1/32'],
  ['boolean', 't', 'true', 'true'],
  ['double precision', '1e300', '1e300', '1e+300'],
  ['real', '0', '-0', '-0'],
])('a tenant column of type %s', (type, value, stored, shown) => {
  itOn(KIND)(`holds a row of the person with ${stored} for ${value}`, () =>
    withTarget(
      KIND,
      `CREATE TABLE people (id INTEGER PRIMARY KEY, shop ${type}, email VARCHAR(60));
      INSERT INTO people VALUES (1, '${stored}', 'jane@x.org'), (2, NULL, 'jane@x.org')`,
      plan(value),
      async (shop) => {
        expect(await shop.count(`people WHERE shop = '${value}'`)).toBe(1);
        const request = await shop.request();
        expect(await shop.run()).toMatchObject(held('tenant_mismatch'));
        expect(await shop.count('people')).toBe(2);
        // As the message says: the value as the column has it.
        shop.configure(plan(shown));
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT id FROM people')).toEqual([{ id: 2 }]);
      },
    ),
  );
});
