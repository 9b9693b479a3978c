import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPostgresCatalogue } from '../../../src/connectors/postgres/postgres-catalogue.ts';
import type { Catalogue } from '../../../src/connectors/sql/catalogue.ts';
import {
  type FreshDatabase,
  freshPostgres,
  hasPostgres,
} from '../../helpers/databases/fresh-postgres.ts';
import { openPostgres, type PlainSession } from './plain-sessions.ts';

const TABLES = `
  CREATE EXTENSION citext;
  CREATE SCHEMA billing;
  CREATE DOMAIN short_text AS varchar(12) NOT NULL;
  CREATE DOMAIN shorter_text AS short_text;
  CREATE TYPE mood AS ENUM ('good', 'bad');
  CREATE TABLE customers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant uuid NOT NULL,
    email citext,
    name varchar(40) COLLATE "C",
    code shorter_text,
    mood mood,
    balance numeric(10, 2),
    photo bytea,
    folded text GENERATED ALWAYS AS (lower(name)) STORED,
    UNIQUE (tenant, email)
  );
  CREATE UNIQUE INDEX ON customers (name) WHERE mood = 'good';
  CREATE UNIQUE INDEX ON customers (lower(name));
  CREATE UNIQUE INDEX ON customers (code) INCLUDE (name);
  CREATE TABLE orders (id int PRIMARY KEY, customer bigint REFERENCES customers ON DELETE CASCADE);
  CREATE TABLE order_lines (
    number int, order_id int REFERENCES orders ON DELETE SET NULL ON UPDATE CASCADE);
  CREATE TABLE billing.invoices (
    id int PRIMARY KEY, customer bigint REFERENCES customers ON DELETE RESTRICT);
  CREATE TABLE visits (id int, day int, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
  CREATE TABLE visits_1 PARTITION OF visits FOR VALUES FROM (0) TO (10);
  CREATE TABLE visit_notes (
    id int, day int, FOREIGN KEY (id, day) REFERENCES visits ON DELETE CASCADE);
  CREATE TABLE visit_1_notes (
    id int, day int, FOREIGN KEY (id, day) REFERENCES visits_1 ON DELETE CASCADE);
  CREATE VIEW customer_view AS SELECT * FROM customers;
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END';
  CREATE TRIGGER audit_customers AFTER UPDATE OR DELETE ON customers
    FOR EACH ROW EXECUTE FUNCTION note();
  CREATE TRIGGER sleeping AFTER DELETE ON customers FOR EACH ROW EXECUTE FUNCTION note();
  ALTER TABLE customers DISABLE TRIGGER sleeping;
  CREATE TRIGGER on_partition AFTER DELETE ON visits_1 FOR EACH ROW EXECUTE FUNCTION note();
  CREATE RULE keep_orders AS ON DELETE TO orders DO INSTEAD NOTHING`;

describe.skipIf(!(await hasPostgres()))('the catalogue of PostgreSQL', () => {
  let database: FreshDatabase;
  let session: PlainSession;
  let catalogue: Catalogue;

  beforeAll(async () => {
    database = await freshPostgres();
    await database.query(TABLES);
    session = await openPostgres(database.url);
    catalogue = await readPostgresCatalogue(session, ['public.customers', 'visits', 'missing']);
  });
  afterAll(async () => {
    await session?.close();
    await database?.close();
  });

  const column = (name: string) => catalogue.get('public.customers')?.columns.get(name);

  it('returns the kind of every column, also through domains', () => {
    const kinds = [...(catalogue.get('public.customers')?.columns.values() ?? [])];
    expect(Object.fromEntries(kinds.map(({ name, kind }) => [name, kind]))).toEqual({
      id: 'integer',
      tenant: 'uuid',
      email: 'text',
      name: 'text',
      code: 'text',
      mood: 'other',
      balance: 'decimal',
      photo: 'binary',
      folded: 'text',
    });
  });

  it('returns length, collation and type as the server writes them', () => {
    expect(column('name')).toMatchObject({
      type: 'character varying(40)',
      maxLength: 40,
      collation: 'C',
      isNullable: true,
    });
    expect(column('code')).toMatchObject({
      type: 'shorter_text',
      maxLength: 12,
      isNullable: false,
    });
    expect(column('tenant')).toMatchObject({ isNullable: false, maxLength: null, collation: null });
  });

  it('counts what only the server may write as generated', () => {
    expect(column('id')?.isGenerated).toBe(true);
    expect(column('folded')?.isGenerated).toBe(true);
    expect(column('name')?.isGenerated).toBe(false);
  });

  it('counts only whole unique indexes as unique', () => {
    const shape = catalogue.get('public.customers');
    expect(shape?.primaryKey).toEqual(['id']);
    expect(shape?.uniques).toEqual([['tenant', 'email'], ['code']]);
  });

  it('names triggers that are on, with their events, and rules as if they were triggers', () => {
    expect(catalogue.get('public.customers')?.triggers).toEqual([
      { name: 'audit_customers', events: ['delete', 'update'] },
    ]);
    expect(catalogue.get('orders')?.triggers).toEqual([
      { name: 'keep_orders', events: ['delete'], isRule: true },
    ]);
    expect(catalogue.get('visits')?.triggers).toMatchObject([{ name: 'on_partition' }]);
  });

  it('follows cascades through tables that were not named, and stops where rows are refused', () => {
    expect(catalogue.get('public.customers')?.referencedBy).toMatchObject([
      { table: 'billing.invoices', onDelete: 'restrict' },
      {
        table: 'orders',
        columns: ['customer'],
        referenced: 'public.customers',
        referencedColumns: ['id'],
        onDelete: 'cascade',
        onUpdate: 'no_action',
      },
    ]);
    expect(catalogue.get('orders')?.referencedBy).toMatchObject([
      { table: 'order_lines', onDelete: 'set_null', onUpdate: 'cascade' },
    ]);
    expect(catalogue.get('order_lines')?.primaryKey).toEqual([]);
    expect(catalogue.has('billing.invoices')).toBe(false);
  });

  it('sees each key of a partitioned table once, and those of its partitions', () => {
    const tables = catalogue.get('visits')?.referencedBy.map(({ table }) => table);
    expect(tables?.sort()).toEqual(['visit_1_notes', 'visit_notes']);
  });

  it('sees the keys of a whole table from one of its partitions', async () => {
    const partition = await readPostgresCatalogue(session, ['visits_1']);
    const tables = partition.get('visits_1')?.referencedBy.map(({ table }) => table);
    expect(tables?.sort()).toEqual(['visit_1_notes', 'visit_notes']);
  });

  it('leaves out what does not exist or is not a table', async () => {
    expect(catalogue.has('missing')).toBe(false);
    const others = await readPostgresCatalogue(session, ['customer_view', 'invoices', 'Customers']);
    expect([...others.keys()]).toEqual([]);
  });

  it('leaves out a table that a temporary one of the same name covers on this connection', async () => {
    const pooled = await openPostgres(database.url);
    await pooled.query('CREATE TEMPORARY TABLE orders (id int PRIMARY KEY, customer bigint)');
    const found = await readPostgresCatalogue(pooled, ['customers', 'orders']);
    await pooled.close();
    expect(found.has('orders')).toBe(false);
  });

  it('writes the referring table as the plan does', async () => {
    const named = await readPostgresCatalogue(session, ['customers', 'public.orders']);
    const tables = named.get('customers')?.referencedBy.map(({ table }) => table);
    expect(tables).toEqual(['billing.invoices', 'public.orders']);
    expect([...named.keys()]).toEqual(['customers', 'public.orders', 'order_lines']);
  });
});
