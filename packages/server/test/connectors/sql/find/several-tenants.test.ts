// A controller with several tenants has the rows of each of them, and a row of one refers to rows of that one.
import { expect, it } from 'vitest';
import type { SqlTargetConfig } from '../../../../src/domain/target/target.ts';
import { ACME, aSubject, aTable, email, GLOBEX, tablesWork } from '../sql-target.ts';
import { eraseWhole, JANE, JOE, onEverySqlDatabase, previewOf, via } from '../use-sql-target.ts';

const BY_SITE: Partial<SqlTargetConfig> = {
  tenancy: { way: 'column', column: 'site', values: { acme: ['1', '3'], globex: '2' } },
};
const CUSTOMERS = aTable('customers', { match: { email: 'email' } });
const jane = (controllerId = ACME) => aSubject(1, [email(JANE)], controllerId);

await onEverySqlDatabase('a controller with several tenants', ({ query, open, ids }) => {
  it('has the rows of each, and no others', async () => {
    await query(`
      CREATE TABLE customers (id INTEGER PRIMARY KEY, site INTEGER, email VARCHAR(200));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, site INTEGER, customer INTEGER);
      INSERT INTO customers VALUES (1, 1, '${JANE}'), (2, 2, '${JANE}'), (3, 3, '${JANE}'), (4, NULL, '${JANE}'), (5, 3, '${JOE}');
      INSERT INTO orders VALUES (11, 1, 1), (12, 2, 2), (13, 3, 3), (14, 3, 1), (15, 3, 5)`);
    const orders = aTable('orders', { via: [via('customers', { customer: 'id' })] });
    await eraseWhole(open([orders, CUSTOMERS], BY_SITE), jane());
    expect(await ids('customers')).toEqual([2, 4, 5]);
    expect(await ids('orders')).toEqual([12, 15]);
    await eraseWhole(open([orders, CUSTOMERS], BY_SITE), jane(GLOBEX));
    expect(await ids('customers')).toEqual([4, 5]);
  });

  it("a number that is unique within a tenant means that tenant's row", async () => {
    await query(`
      CREATE TABLE customers (id INTEGER PRIMARY KEY, site INTEGER, no INTEGER, email VARCHAR(200));
      CREATE UNIQUE INDEX customers_no ON customers (site, no);
      CREATE TABLE orders (id INTEGER PRIMARY KEY, site INTEGER, customer_no INTEGER);
      INSERT INTO customers VALUES (1, 1, 7, '${JANE}'), (2, 3, 7, '${JOE}'), (3, 3, 8, '${JANE}'), (4, 2, 7, '${JANE}');
      INSERT INTO orders VALUES (11, 1, 7), (12, 3, 7), (13, 3, 8), (14, 1, 8), (15, 2, 7), (16, NULL, 7)`);
    const orders = aTable('orders', { via: [via('customers', { customer_no: 'no' })] });
    await eraseWhole(open([orders, CUSTOMERS], BY_SITE), jane());
    expect(await ids('orders')).toEqual([12, 14, 15, 16]);
    expect(await ids('customers')).toEqual([2, 4]);
  });

  it('has them by reference too, and both may be tied to one row', async () => {
    await query(`
      CREATE TABLE teams (id INTEGER PRIMARY KEY, site INTEGER);
      CREATE TABLE members (id INTEGER PRIMARY KEY, team INTEGER, other INTEGER, email VARCHAR(200));
      INSERT INTO teams VALUES (1, 1), (2, 2), (3, 3);
      INSERT INTO members VALUES (11, 1, 3, '${JANE}'), (12, 3, NULL, '${JANE}'), (13, 2, NULL, '${JANE}'), (14, 1, 2, '${JOE}')`);
    const members = aTable('members', {
      match: { email: 'email' },
      tenant: [via('teams', { team: 'id' }), via('teams', { other: 'id' })],
    });
    const work = tablesWork([members], { leads: [{ table: 'teams', tenantColumn: null }] });
    const connector = open([members], { ...BY_SITE, work });
    await eraseWhole(connector, jane());
    expect(await ids('members')).toEqual([13, 14]);
    expect(await previewOf(connector, aSubject(2, [email(JOE)]))).toMatchObject({
      outcome: 'held',
      reason: 'tenant_mismatch',
    });
  });

  it('is not known where one of them is in no row', async () => {
    await query(`
      CREATE TABLE customers (id INTEGER PRIMARY KEY, site INTEGER, email VARCHAR(200));
      INSERT INTO customers VALUES (1, 1, '${JOE}')`);
    const connector = open([CUSTOMERS], BY_SITE);
    expect(await previewOf(connector, jane())).toMatchObject({ unknownTenant: '3' });
    await query(`INSERT INTO customers VALUES (2, 3, '${JOE}')`);
    expect(await previewOf(connector, jane())).not.toHaveProperty('unknownTenant');
  });
});
