import { expect, it } from 'vitest';
import { table, tables, via, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const TABLES = `CREATE TABLE customers (id int NOT NULL PRIMARY KEY, tenant_code varchar(20), email varchar(190), code varchar(20));
CREATE TABLE members (id int NOT NULL PRIMARY KEY, email varchar(190));
CREATE TABLE people (id int NOT NULL PRIMARY KEY, email varchar(190));
CREATE TABLE orders (shop int NOT NULL, no int NOT NULL, person int, PRIMARY KEY (shop, no));
CREATE TABLE "order lines" (id int NOT NULL PRIMARY KEY, shop int, no int)`;
const WORK = tables([
  table('order lines', via('orders', { shop: 'shop', no: 'no' })),
  table('orders', via('people', { person: 'id' })),
  table('people'),
]);

await onEachDatabase(
  'the check of indexes',
  (connector) => (connector === 'mysql' ? TABLES.replaceAll('"', '`') : TABLES),
  ({ check, run }) => {
    const advised = async (config: Parameters<typeof check>[0]) =>
      written(await check(config), 'warning').flatMap((line) => {
        const [, statement] = /no index serves .* add: (.*)$/.exec(line) ?? [];
        return statement === undefined ? [] : [statement];
      });

    it('names the indexes to add, and passes once they exist', async () => {
      const statements = await advised({ work: WORK });
      expect(statements).toHaveLength(3);
      for (const statement of statements) await run(statement);
      expect(await advised({ work: WORK })).toEqual([]);
    });

    it('puts the tenant first, and accepts an index on tenant and identity', async () => {
      const config = {
        tenancy: { way: 'column', column: 'tenant_code', values: {} } as const,
        work: tables([
          table('customers', { match: { email: 'email', controller_customer_id: 'code' } }),
        ]),
      };
      await run('CREATE INDEX by_tenant ON customers (tenant_code)');
      const statements = await advised(config);
      expect(statements).toHaveLength(2);
      for (const statement of statements) {
        expect(statement).toMatch(/\(tenant_code, /);
        await run(statement);
      }
      expect(await advised(config)).toEqual([]);
    });

    it('advises none for a table of a few rows', async () => {
      const add = (from: number, to: number) =>
        run(
          `INSERT INTO members (id) VALUES ${Array.from({ length: to - from }, (_, no) => `(${from + no})`).join(', ')}`,
        );
      const config = { work: tables([table('members')]) };
      await add(1, 1000);
      expect(await advised(config)).toEqual([]);
      await add(1000, 1001);
      expect(await advised(config)).toHaveLength(1);
    });
  },
);
