// With a tenant column, a row of another tenant is never erased, by whichever way it is reached.

import { describe, expect, it } from 'vitest';
import type { SqlTargetConfig } from '../../../../src/domain/target/target.ts';
import { eraseFound } from '../../../helpers/erase-found.ts';
import { ACME, aSubject, aTable, email, GLOBEX, isFound } from '../sql-target.ts';
import { eraseWhole, JANE, onEverySqlDatabase, previewOf, via } from '../use-sql-target.ts';

const BY_TENANT: Partial<SqlTargetConfig> = {
  tenancy: { way: 'column', column: 'tenant', values: {} },
};
const CUSTOMERS = aTable('customers', { match: { email: 'email' } });
const jane = (controllerId = ACME) => aSubject(1, [email(JANE)], controllerId);

await onEverySqlDatabase('rows of several tenants', (target) => {
  const { query, open, ids } = target;

  describe('joined by a number that is unique only within a tenant', () => {
    const ORDERS = aTable('orders', { via: [via('customers', { customer_no: 'no' })] });
    const fill = () =>
      query(`
        CREATE TABLE customers (id INTEGER PRIMARY KEY, tenant VARCHAR(40) NOT NULL, no INTEGER NOT NULL, email VARCHAR(200));
        CREATE UNIQUE INDEX customers_no ON customers (tenant, no);
        CREATE TABLE orders (id INTEGER PRIMARY KEY, tenant VARCHAR(40), customer_no INTEGER);
        CREATE TABLE notes (id INTEGER PRIMARY KEY, order_id INTEGER);
        INSERT INTO customers VALUES (1, 'acme', 7, '${JANE}'), (2, 'globex', 7, 'gil@example.com'), (3, 'globex', 8, '${JANE}');
        INSERT INTO orders VALUES (11, 'acme', 7), (12, 'globex', 7), (13, 'globex', 8), (14, NULL, 7);
        INSERT INTO notes VALUES (21, 11), (22, 12), (23, 13)`);

    it("a child's own tenant column is compared, and the other tenant's row stays", async () => {
      await fill();
      const { erasures } = await eraseWhole(open([ORDERS, CUSTOMERS], BY_TENANT), jane());
      expect(erasures).toEqual([{ outcome: 'erased', counts: { customers: 1, orders: 1 } }]);
      expect(await ids('orders')).toEqual([12, 13, 14]);
      expect(await ids('customers')).toEqual([2, 3]);
    });

    it('rows of a table without the tenant column have the tenant of the row from which they were reached', async () => {
      await fill();
      const notes = aTable('notes', { via: [via('orders', { order_id: 'id' })] });
      await eraseWhole(open([notes, ORDERS, CUSTOMERS], BY_TENANT), jane(GLOBEX));
      expect(await ids('notes')).toEqual([21, 22]);
      expect(await ids('orders')).toEqual([11, 12, 14]);
    });

    it('a table may name a tenant column of its own, which is compared as well', async () => {
      await fill();
      await query('ALTER TABLE orders RENAME COLUMN tenant TO owner');
      const orders = { ...ORDERS, tenantColumn: 'owner' };
      await eraseWhole(open([orders, CUSTOMERS], BY_TENANT), jane());
      expect(await ids('orders')).toEqual([12, 13, 14]);
    });

    it('several requests of a batch have the rows of their own tenants', async () => {
      await fill();
      const connector = open([ORDERS, CUSTOMERS], BY_TENANT);
      const previews = await connector.preview([
        aSubject(1, [email(JANE)], ACME),
        aSubject(2, [email('gil@example.com')], GLOBEX),
      ]);
      expect(previews.map((preview) => isFound(preview).keys.orders?.length)).toEqual([1, 1]);
    });
  });

  describe('reached by a key that is unique by itself', () => {
    const ORDERS = aTable('orders', { via: [via('customers', { customer: 'id' })] });
    const fill = (tenant: string) =>
      query(`
        CREATE TABLE customers (id INTEGER PRIMARY KEY, tenant VARCHAR(40), email VARCHAR(200));
        CREATE TABLE orders (id INTEGER PRIMARY KEY, tenant VARCHAR(40), customer INTEGER);
        INSERT INTO customers VALUES (1, 'acme', '${JANE}'), (2, 'acme', 'joe@example.com');
        INSERT INTO orders VALUES (11, 'acme', 1), (12, ${tenant}, 1), (13, 'acme', 2)`);

    it.each([
      ['none', 'NULL'],
      ['another', "'globex'"],
    ])('a row whose tenant is %s holds the request', async (_, tenant) => {
      await fill(tenant);
      const connector = open([ORDERS, CUSTOMERS], BY_TENANT);
      expect(await previewOf(connector, jane())).toMatchObject({
        outcome: 'held',
        reason: 'tenant_mismatch',
        detail: expect.stringContaining('orders'),
      });
    });

    it('nothing is erased if a row below has another tenant', async () => {
      await fill("'acme'");
      const connector = open([ORDERS, CUSTOMERS], BY_TENANT);
      await query("UPDATE orders SET tenant = 'globex' WHERE id = 12");
      const [erasure] = await eraseFound(connector, [jane()]);
      expect(erasure).toMatchObject({ outcome: 'held', reason: 'tenant_mismatch' });
      expect(await ids('orders')).toEqual([11, 12, 13]);
      expect(await ids('customers')).toEqual([1, 2]);
    });

    it('a neighbour without such a row is erased', async () => {
      await fill('NULL');
      const connector = open([ORDERS, CUSTOMERS], BY_TENANT);
      const joe = aSubject(2, [email('joe@example.com')]);
      const previews = await connector.preview([jane(), joe]);
      expect(previews.map(({ outcome }) => outcome)).toEqual(['held', 'found']);
    });
  });

  it('a table with a match and without the column is refused', async () => {
    await query('CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(200))');
    await expect(previewOf(open([CUSTOMERS], BY_TENANT), jane())).rejects.toMatchObject({
      code: 'target_refused',
      message: expect.stringContaining('tenant'),
    });
  });

  it('a row that is also tied to another tenant is held, whatever "shared" says', async () => {
    await query(`
      CREATE TABLE customers (id INTEGER PRIMARY KEY, tenant VARCHAR(40), email VARCHAR(200));
      CREATE TABLE chats (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER);
      INSERT INTO customers VALUES (1, 'acme', '${JANE}'), (2, 'globex', 'gil@example.com'), (3, 'acme', 'joe@example.com');
      INSERT INTO chats VALUES (11, 1, 2), (12, 1, 3)`);
    for (const shared of ['erase', 'keep'] as const) {
      const chats = aTable('chats', {
        via: [via('customers', { a: 'id' }), via('customers', { b: 'id' })],
        shared,
      });
      expect(await previewOf(open([chats, CUSTOMERS], BY_TENANT), jane())).toMatchObject({
        outcome: 'held',
        reason: 'tenant_mismatch',
      });
    }
  });

  it('a row found by a value that people of two tenants share is held, whatever "shared" says', async () => {
    await query(`
      CREATE TABLE customers (id INTEGER PRIMARY KEY, tenant VARCHAR(40), email VARCHAR(200));
      CREATE TABLE cards (id INTEGER PRIMARY KEY, mail VARCHAR(200));
      INSERT INTO customers VALUES (1, 'acme', '${JANE}'), (2, 'globex', '${JANE}');
      INSERT INTO cards VALUES (21, '${JANE}')`);
    const cards = aTable('cards', { via: [via('customers', { mail: 'email' })], shared: 'erase' });
    expect(await previewOf(open([cards, CUSTOMERS], BY_TENANT), jane())).toMatchObject({
      outcome: 'held',
      reason: 'tenant_mismatch',
    });
  });

  it('rows without a tenant are held with the line to write, and left if it is written', async () => {
    await query(`
      CREATE TABLE customers (id INTEGER PRIMARY KEY, tenant VARCHAR(40) NOT NULL, email VARCHAR(200));
      CREATE TABLE log (id INTEGER PRIMARY KEY, tenant VARCHAR(40), customer_id INTEGER);
      INSERT INTO customers VALUES (1, 'acme', '${JANE}');
      INSERT INTO log VALUES (1, 'acme', 1), (2, NULL, 1)`);
    const log = aTable('log', { via: [via('customers', { customer_id: 'id' })] });
    const preview = await previewOf(open([log, CUSTOMERS], BY_TENANT), jane());
    expect(preview).toMatchObject({
      outcome: 'held',
      reason: 'tenant_mismatch',
      detail: expect.stringContaining('where: { tenant: { not: null } } for log'),
    });
    const limited = { ...log, where: { tenant: { not: [null] } } };
    await eraseWhole(open([limited, CUSTOMERS], BY_TENANT), jane());
    expect(await ids('log')).toEqual([2]);
  });
});
