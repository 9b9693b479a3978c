import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Catalogue } from '../../../src/connectors/sql/catalogue.ts';
import { readSqliteCatalogue } from '../../../src/connectors/sqlite/sqlite-catalogue.ts';
import { openSqlite, type PlainSession } from './plain-sessions.ts';

const STATEMENTS = [
  `CREATE TABLE Customers (
    id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, email VARCHAR(190), photo BLOB, balance DECIMAL(10,2),
    height REAL, anything, day DATE, folded TEXT AS (lower(email)) STORED, UNIQUE (tenant, email))`,
  'CREATE UNIQUE INDEX part ON Customers (email) WHERE tenant IS NOT NULL',
  'CREATE UNIQUE INDEX expression ON Customers (lower(email))',
  'CREATE TABLE orders (id TEXT PRIMARY KEY, customer REFERENCES customers ON DELETE CASCADE)',
  `CREATE TABLE lines (number INT, order_id TEXT REFERENCES ORDERS (id)
    ON DELETE SET NULL ON UPDATE CASCADE)`,
  'CREATE TABLE invoices (id INT, customer REFERENCES Customers (id) ON DELETE RESTRICT)',
  'CREATE TABLE tags (name TEXT, kind TEXT, PRIMARY KEY (kind, name)) WITHOUT ROWID',
  'CREATE VIEW customer_view AS SELECT * FROM Customers',
  `CREATE TRIGGER "delete audit" -- says what
    AFTER DELETE ON customers BEGIN SELECT 1; END`,
  'CREATE TRIGGER renamed UPDATE OF email ON Customers BEGIN SELECT 1; END',
];

describe('the catalogue of SQLite', () => {
  let session: PlainSession;
  let catalogue: Catalogue;

  beforeAll(async () => {
    session = openSqlite(':memory:');
    for (const statement of STATEMENTS) await session.query(statement);
    catalogue = await readSqliteCatalogue(session, ['customers', 'main.tags', 'missing']);
  });
  afterAll(() => session.close());

  const column = (name: string) => catalogue.get('customers')?.columns.get(name);

  it('returns the kind of every column by its declared type', () => {
    const kinds = [...(catalogue.get('customers')?.columns.values() ?? [])];
    expect(Object.fromEntries(kinds.map(({ name, kind }) => [name, kind]))).toEqual({
      id: 'integer',
      tenant: 'text',
      email: 'text',
      photo: 'binary',
      balance: 'decimal',
      height: 'other',
      anything: 'text',
      day: 'text',
      folded: 'text',
    });
  });

  it('returns which columns refuse NULL, and which are generated', () => {
    expect(column('id')?.isNullable).toBe(false);
    expect(column('tenant')?.isNullable).toBe(false);
    expect(column('email')).toMatchObject({ isNullable: true, maxLength: null });
    expect(column('folded')?.isGenerated).toBe(true);
    expect(catalogue.get('main.tags')?.columns.get('name')?.isNullable).toBe(false);
  });

  it('gives the primary key in its own order, and none if none is declared', () => {
    expect(catalogue.get('main.tags')?.primaryKey).toEqual(['kind', 'name']);
    expect(catalogue.get('lines')?.primaryKey).toEqual([]);
  });

  it('says that a text key of a table with rowids may hold NULL', () => {
    expect(catalogue.get('orders')?.columns.get('id')?.isNullable).toBe(true);
  });

  it('counts only whole unique indexes as unique', () => {
    expect(catalogue.get('customers')?.uniques).toEqual([['tenant', 'email']]);
  });

  it('names triggers with their events', () => {
    expect(catalogue.get('customers')?.triggers).toEqual([
      { name: 'delete audit', events: ['delete'] },
      { name: 'renamed', events: ['update'], columns: ['email'] },
    ]);
  });

  it('follows cascades through tables that were not named, whatever the case of names', () => {
    expect(catalogue.get('customers')?.referencedBy).toMatchObject([
      { table: 'invoices', onDelete: 'restrict' },
      {
        table: 'orders',
        columns: ['customer'],
        referenced: 'customers',
        referencedColumns: ['id'],
        onDelete: 'cascade',
      },
    ]);
    expect(catalogue.get('orders')?.referencedBy).toMatchObject([
      { table: 'lines', onDelete: 'set_null', onUpdate: 'cascade' },
    ]);
    expect([...catalogue.keys()]).toEqual(['customers', 'main.tags', 'orders', 'lines']);
  });

  it('leaves out what does not exist or is not a table', async () => {
    expect(catalogue.has('missing')).toBe(false);
    expect((await readSqliteCatalogue(session, ['customer_view'])).size).toBe(0);
  });
});
