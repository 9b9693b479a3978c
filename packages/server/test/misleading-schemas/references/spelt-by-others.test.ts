// A reference by a value that is unique within a tenant, or not at all: what another tenant's row spells otherwise is no
// matter of this one's.
import { expect } from 'vitest';
import { describeOnEach, held, itOn, type Kind, tables, withTarget } from '../misled-target.ts';

const FOLDED: Record<Kind, string> = {
  SQLite: 'TEXT COLLATE NOCASE',
  PostgreSQL: 'text COLLATE loose',
  MariaDB: 'VARCHAR(60) COLLATE utf8mb4_general_ci',
};
const BINARY: Record<Kind, string> = {
  SQLite: 'TEXT',
  PostgreSQL: 'text',
  MariaDB: 'VARCHAR(60) COLLATE utf8mb4_bin',
};
const schemaOf = (kind: Kind, account: string) => `
  ${kind === 'PostgreSQL' ? `CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);` : ''}
  CREATE TABLE people (id INTEGER PRIMARY KEY, account VARCHAR(60), email ${FOLDED[kind]});
  CREATE TABLE orders (id INTEGER PRIMARY KEY, a ${BINARY[kind]}, b ${FOLDED[kind]}, account VARCHAR(60));
  INSERT INTO people VALUES (1, 'acme', 'jane@x.org'), (2, '${account}', 'ann@x.org');
  INSERT INTO orders VALUES (5, 'jane@x.org', 'ANN@X.ORG', 'acme')`;
const PLAN = [
  'tenant_column: account',
  'tenants: { acme: acme, globex: globex }',
  tables(
    '{ table: orders, via: { people: [{ a: email }, { b: email }] }, shared: erase }',
    '{ table: people, match: { email: email } }',
  ),
];

describeOnEach('a value that is spelt otherwise (%s)', (kind) => {
  itOn(kind)("in another tenant's row does not hold the request", () =>
    withTarget(kind, schemaOf(kind, 'globex'), PLAN, async (shop) => {
      const request = await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.count('orders')).toBe(0);
      expect(await shop.count('people')).toBe(1);
    }),
  );

  itOn(kind)("in a row of the tenant's own does", () =>
    withTarget(kind, schemaOf(kind, 'acme'), PLAN, async (shop) => {
      await shop.request();
      expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
      expect(await shop.count('orders')).toBe(1);
    }),
  );
});
