import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMysqlCatalogue } from '../../../src/connectors/mysql/mysql-catalogue.ts';
import type { Catalogue } from '../../../src/connectors/sql/catalogue.ts';
import { freshMariadb, hasMariadb } from '../../helpers/databases/fresh-mariadb.ts';
import type { FreshDatabase } from '../../helpers/databases/fresh-postgres.ts';
import { openMysql, type PlainSession } from './plain-sessions.ts';

const TABLES = `
  CREATE TABLE customers (
    id bigint unsigned AUTO_INCREMENT PRIMARY KEY,
    tenant varbinary(16) NOT NULL,
    email varchar(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci,
    name char(40) CHARACTER SET latin1 NOT NULL,
    mood enum('good', 'bad'),
    balance decimal(10, 2),
    notes text,
    born datetime DEFAULT current_timestamp(),
    folded varchar(200) AS (lower(email)) STORED,
    UNIQUE KEY by_email (tenant, email),
    UNIQUE KEY by_prefix (name(5))
  );
  CREATE TABLE orders (id int PRIMARY KEY, customer bigint unsigned,
    CONSTRAINT fk_customer FOREIGN KEY (customer) REFERENCES customers (id) ON DELETE CASCADE);
  CREATE TABLE \`order-größe\` (number int, order_id int,
    FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE SET NULL ON UPDATE CASCADE);
  CREATE TABLE invoices (id int PRIMARY KEY, customer bigint unsigned,
    FOREIGN KEY (customer) REFERENCES customers (id));
  CREATE VIEW customer_view AS SELECT id FROM customers;
  CREATE TRIGGER audit_customers AFTER DELETE ON customers FOR EACH ROW SET @deleted = 1`;

describe.skipIf(!(await hasMariadb()))('the catalogue of MySQL and MariaDB', () => {
  let database: FreshDatabase;
  let session: PlainSession;
  let catalogue: Catalogue;

  beforeAll(async () => {
    database = await freshMariadb();
    await database.query(TABLES);
    session = await openMysql(database.url);
    catalogue = await readMysqlCatalogue(session, ['customers', 'missing', 'customer_view']);
  });
  afterAll(async () => {
    await session?.close();
    await database?.close();
  });

  const column = (name: string) => catalogue.get('customers')?.columns.get(name);

  it('returns the kind of every column', () => {
    const kinds = [...(catalogue.get('customers')?.columns.values() ?? [])];
    expect(Object.fromEntries(kinds.map(({ name, kind }) => [name, kind]))).toEqual({
      id: 'integer',
      tenant: 'binary',
      email: 'text',
      name: 'text',
      mood: 'other',
      balance: 'decimal',
      notes: 'text',
      born: 'other',
      folded: 'text',
    });
  });

  it('returns length, collation and type as the server writes them', () => {
    expect(column('id')?.type).toMatch(/^bigint(\(20\))? unsigned$/);
    expect(column('email')).toMatchObject({
      type: 'varchar(190)',
      maxLength: 190,
      collation: 'utf8mb4_unicode_ci',
      isNullable: true,
    });
    expect(column('name')).toMatchObject({ collation: 'latin1_swedish_ci', isNullable: false });
    expect(column('tenant')).toMatchObject({ maxLength: null, collation: null });
  });

  it('distinguishes generated columns from those with a computed default', () => {
    expect(column('folded')?.isGenerated).toBe(true);
    expect(column('born')?.isGenerated).toBe(false);
  });

  it('counts only whole unique indexes as unique', () => {
    expect(catalogue.get('customers')?.primaryKey).toEqual(['id']);
    expect(catalogue.get('customers')?.uniques).toEqual([['tenant', 'email']]);
  });

  it('names triggers with their events', () => {
    expect(catalogue.get('customers')?.triggers).toEqual([
      { name: 'audit_customers', events: ['delete'] },
    ]);
  });

  it('follows cascades through tables that were not named, each key once', () => {
    const keys = [...(catalogue.get('customers')?.referencedBy ?? [])];
    expect(keys.sort((a, b) => a.table.localeCompare(b.table))).toMatchObject([
      { table: 'invoices', onDelete: expect.stringMatching(/^(restrict|no_action)$/) },
      {
        name: 'fk_customer',
        table: 'orders',
        columns: ['customer'],
        referenced: 'customers',
        referencedColumns: ['id'],
        onDelete: 'cascade',
      },
    ]);
    expect(catalogue.get('orders')?.referencedBy).toMatchObject([
      { table: 'order-größe', onDelete: 'set_null', onUpdate: 'cascade' },
    ]);
    expect([...catalogue.keys()]).toEqual(['customers', 'orders', 'order-größe']);
  });

  it('distinguishes the keys of tables whose names differ only in case, if the server does', async (test) => {
    const [row] = await database.query('SELECT @@lower_case_table_names AS folds');
    if (Number(row?.folds) !== 0) test.skip('names mean the same in any case here');
    await database.query(`
      CREATE TABLE parents (id int PRIMARY KEY);
      CREATE TABLE Children (id int PRIMARY KEY, parent int,
        CONSTRAINT one FOREIGN KEY (parent) REFERENCES parents (id) ON DELETE SET NULL);
      CREATE TABLE children (id int PRIMARY KEY, parent int NOT NULL,
        CONSTRAINT two FOREIGN KEY (parent) REFERENCES parents (id) ON DELETE CASCADE)`);
    const parents = (await readMysqlCatalogue(session, ['parents'])).get('parents');

    expect(parents?.referencedBy).toEqual([
      expect.objectContaining({ name: 'one', table: 'Children', columns: ['parent'] }),
      expect.objectContaining({
        name: 'two',
        table: 'children',
        columns: ['parent'],
        required: ['parent'],
      }),
    ]);
    expect(parents?.referencedBy[0]).not.toHaveProperty('required');
  });

  it('leaves out what does not exist or is not a table', () => {
    expect(catalogue.has('missing')).toBe(false);
    expect(catalogue.has('customer_view')).toBe(false);
  });

  it('finds tables under the name of their database', async () => {
    const schema = new URL(database.url).pathname.slice(1);
    const named = await readMysqlCatalogue(session, [`${schema}.customers`, `${schema}.orders`]);
    const tables = named.get(`${schema}.customers`)?.referencedBy.map(({ table }) => table);
    expect(tables).toContain(`${schema}.orders`);
  });

  describe('for an account with rights on one table', () => {
    const account = `unwrite_${process.pid}`;

    beforeAll(async () => {
      await database.query(`CREATE USER ${account}@'%' IDENTIFIED BY 'test-password'`);
      await database.query(`GRANT SELECT, DELETE ON customers TO ${account}@'%'`);
    });
    afterAll(() => database.query(`DROP USER ${account}@'%'`));

    async function keysSeen() {
      const url = new URL(database.url);
      url.username = account;
      url.password = 'test-password';
      const narrow = await openMysql(url.href);
      const read = await readMysqlCatalogue(narrow, ['customers']).finally(() => narrow.close());
      const keys = [...read.values()].flatMap(({ referencedBy }) => referencedBy);
      return keys.map(({ table, onDelete }) => `${table}: ${onDelete}`).sort();
    }

    it('sees the keys of other tables only with PROCESS', async () => {
      expect(await keysSeen()).toEqual([]);
      await database.query(`GRANT PROCESS ON *.* TO ${account}@'%'`);
      expect(await keysSeen()).toEqual([
        'invoices: restrict',
        'order-größe: set_null',
        'orders: cascade',
      ]);
    });
  });
});
