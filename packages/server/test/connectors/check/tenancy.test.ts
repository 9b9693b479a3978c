import { expect, it } from 'vitest';
import type { ControllerId } from '../../../src/domain/controller-id.ts';
import { table, tables, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const TABLES = `CREATE TABLE customers (id int NOT NULL PRIMARY KEY, email varchar(190), shop int);
CREATE TABLE people (id int NOT NULL PRIMARY KEY, email varchar(190))`;
const acme = 'acme' as ControllerId;

await onEachDatabase('the check of tenancy', TABLES, ({ check, connector }) => {
  const byShop = (values: Record<string, string>) =>
    ({ way: 'column', column: 'shop', values }) as const;

  it('warns where rows are not told apart', async () => {
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
      expect.stringMatching(/^problem people: has no column "shop".*; correct the tenant column/),
    );
  });

  // A value's type is its own there, whatever the column declares.
  it.skipIf(connector === 'sqlite')('refuses tenants that the column cannot hold', async () => {
    const work = tables([table('customers')]);
    const named = await check({ tenancy: byShop({ acme: 'ACME' }), work });
    expect(written(named, 'problem')).toContainEqual(
      expect.stringMatching(
        /^problem customers: the tenant column "shop" is int.*, which cannot hold the tenant value "ACME" of the controller acme;/,
      ),
    );
    const unnamed = await check({ controllers: [acme], tenancy: byShop({}), work });
    expect(written(unnamed, 'problem')).toContainEqual(
      expect.stringContaining('which cannot hold the own id of the controller acme;'),
    );
  });
});
