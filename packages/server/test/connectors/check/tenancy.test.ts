import { expect, it } from 'vitest';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import { table, tables, via, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const TABLES = `CREATE TABLE customers (id int NOT NULL PRIMARY KEY, email varchar(190), shop int);
CREATE TABLE people (id int NOT NULL PRIMARY KEY, email varchar(190));
CREATE TABLE log (id int NOT NULL PRIMARY KEY, customer_id int, shop int)`;
const acme = 'acme' as ControllerId;

await onEachDatabase('the check of tenancy', TABLES, ({ check, connector, run }) => {
  const byShop = (values: Record<string, string>) =>
    ({ way: 'column', column: 'shop', values }) as const;

  it('warns if tenants are not distinguished', async () => {
    const lines = written(await check({ tenancy: { way: 'none' } }), 'warning');
    expect(lines).toContainEqual(
      expect.stringMatching(/^warning tenancy: is none: a request of any controller erases/),
    );
  });

  it('says whose rows they are', async () => {
    const work = tables([table('customers')]);
    const whole = await check({ tenancy: { way: 'controller', controllerId: acme } });
    expect(written(whole)).toContainEqual(
      expect.stringMatching(/^ok tenancy: all rows are acme's/),
    );
    expect(written(await check({ tenancy: byShop({ acme: '1' }), work }))).toContain(
      'ok tenancy: rows are told apart by the column shop',
    );
  });

  it('wants the tenant column on every table that is matched', async () => {
    const lines = await check({ tenancy: byShop({}), work: tables([table('people')]) });
    expect(written(lines, 'problem')).toContainEqual(
      expect.stringMatching(
        /^problem people: has no column "shop".*, which says whose a row is; .*tenancy: none and action/,
      ),
    );
  });

  // A value's type is its own there, whatever the column declares.
  it.skipIf(connector === 'sqlite')('refuses tenants that the column cannot hold', async () => {
    const work = tables([table('customers')]);
    const named = await check({ tenancy: byShop({ acme: 'ACME' }), work });
    expect(written(named, 'problem')).toContainEqual(
      expect.stringMatching(
        /^problem customers: the tenant column "shop" is int.*, which cannot hold "ACME" of the controller acme; give acme its own value under "tenants"$/,
      ),
    );
    const unnamed = await check({ tenancy: byShop({}), work });
    expect(written(unnamed, 'warning')).toContainEqual(
      expect.stringMatching(/^warning customers: the tenant column "shop" is int.*; list them$/),
    );
  });

  it.skipIf(connector === 'sqlite')(
    'says how to tell tenants apart whose values are bytes',
    async () => {
      const type = connector === 'mysql' ? 'binary(16)' : 'bytea';
      await run(
        `CREATE TABLE guests (id int NOT NULL PRIMARY KEY, email varchar(190), channel ${type})`,
      );
      const hex = '0189abcd0189abcd0189abcd0189abcd';
      await run(
        `INSERT INTO guests VALUES (1, 'jane@x.org', ${connector === 'mysql' ? `unhex('${hex}')` : `decode('${hex}', 'hex')`})`,
      );
      const checked = async (column: string, value: string) => {
        const tenancy = { way: 'column', column, values: { acme: value } } as const;
        return written(await check({ tenancy, work: tables([table('guests')]) }), 'problem');
      };
      const [line = ''] = await checked('channel', hex);
      expect(line).toContain('holds bytes, and no tenant');
      expect(line).toContain('write the statements by hand');
      const statement = /\((ALTER TABLE .*)\) and list its values, in (\w+) letters/.exec(line);
      await run(statement?.[1] ?? '');
      const value = statement?.[2] === 'capital' ? hex.toUpperCase() : hex;
      expect(await checked('channel_hex', value)).toEqual([]);
      expect(await run('SELECT channel_hex FROM guests')).toEqual([{ channel_hex: value }]);
    },
  );

  it('refuses a controller whose id is the value of another', async () => {
    const config = { controllers: [acme], tenancy: byShop({ globex: 'acme' }) };
    const lines = await check({ ...config, work: tables([table('customers')]) });
    expect(written(lines, 'problem')).toContain(
      'problem customers: the id of the controller acme is the tenant value of another; give acme its own value under "tenants"',
    );
  });

  it('counts rows without a tenant, and says what becomes of them', async () => {
    await run(`INSERT INTO customers VALUES (1, 'jane@example.com', NULL);
INSERT INTO log VALUES (1, 1, NULL), (2, 1, NULL), (3, 1, 1)`);
    const tenancy = byShop({ acme: '1' });
    const log = table('log', via('customers', { customer_id: 'id' }));
    const warned = async (of: typeof log) =>
      written(await check({ tenancy, work: tables([of, table('customers')]) }), 'warning').filter(
        (line) => line.includes('no tenant'),
      );
    expect((await warned(log)).toSorted().toReversed()).toEqual([
      expect.stringMatching(
        /^warning log: 2 rows have no tenant .* held where one refers .* where: \{ shop: \{ not: null \} \}$/,
      ),
      expect.stringMatching(
        /^warning customers: 1 row has no tenant .* identity would find are left/,
      ),
    ]);
    expect(await warned({ ...log, where: { shop: { not: [null] } } })).toHaveLength(1);
  });
});
