import { expect, it } from 'vitest';
import { table, tables, via, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const TABLES = `CREATE TABLE customers (id int NOT NULL PRIMARY KEY, email varchar(190), born date, code varchar(9));
CREATE TABLE orders (id int NOT NULL PRIMARY KEY, customer int);
CREATE TABLE visits (customer int NOT NULL, day int NOT NULL, email varchar(190));
CREATE UNIQUE INDEX visits_key ON visits (customer, day);
CREATE TABLE hits (email varchar(190), page int UNIQUE);
CREATE VIEW customer_view AS SELECT id, email FROM customers`;

await onEachDatabase(
  'the check of tables and columns',
  TABLES,
  ({ check, connector, databaseName }) => {
    const of = async (...list: Parameters<typeof tables>) =>
      written(await check({ work: tables(...list) }), 'ok', 'note', 'problem');

    const DOUBT = ', or the account has no rights on it';
    const withoutDoubt = async (...list: Parameters<typeof tables>) =>
      (await of(...list)).map((line) => (connector === 'mysql' ? line.replace(DOUBT, '') : line));

    it('says who answered, and how each table is found, named and erased', async () => {
      const lines = await of([
        table('orders', via('customers', { customer: 'id' })),
        table('customers', { match: { email: 'email', controller_customer_id: 'id' } }),
      ]);
      expect(lines[0]).toMatch(/^ok server: (SQLite|PostgreSQL|MariaDB|MySQL) \d+\./);
      expect(lines).toContain('ok orders: found by its customers; key id; rows are deleted');
      expect(lines).toContain(
        'ok customers: found by email in email and controller_customer_id in id; key id; rows are deleted',
      );
    });

    it('names tables that do not exist, and continues with the others', async () => {
      const lines = await of([table('customer'), table('customers')], { cascades: ['archive'] });
      expect(lines).toContainEqual(expect.stringMatching(/^problem customer: does not exist/));
      expect(lines).toContainEqual(expect.stringMatching(/^problem archive: does not exist/));
      expect(lines).toContainEqual(expect.stringMatching(/^ok customers: /));
    });

    it('names the table that was probably meant, unless the plan has it already', async () => {
      const misspelt = await of([table('costumers'), table('vist')]);
      expect(misspelt).toContainEqual(
        expect.stringMatching(/^problem costumers: does not exist.* write it as customers if/),
      );
      expect(misspelt).toContainEqual(
        expect.stringMatching(/^problem vist: .* write it as visits/),
      );
      const listed = await of([table('costumers'), table('customers')]);
      expect(listed).toContainEqual(
        expect.stringMatching(/^problem costumers: .* correct the name \(with its schema\), or/),
      );
    });

    it('says that a view is not a table', async () => {
      expect(await of([table('customer_view', { key: ['id'] })])).toContain(
        'problem customer_view: is a view, and only tables can be erased from; name the tables behind it',
      );
    });

    it('refuses one table under two names', async () => {
      const [schema] = { sqlite: ['main'], postgres: ['public'], mysql: [databaseName()] }[
        connector
      ];
      const lines = await of([table('customers'), table(`${schema}.customers`)]);
      expect(lines).toContain(
        `problem customers: is the same table as ${schema}.customers; name it once`,
      );
    });

    it('names columns that do not exist, with their use and their right case', async () => {
      const lines = await withoutDoubt([
        table('orders', { ...via('customers', { buyer: 'number' }), key: ['no'] }),
        table('customers', {
          match: { email: 'Email' },
          action: { kind: 'overwrite', columns: { phone: { kind: 'null' } } },
        }),
      ]);
      expect(lines).toContain('problem orders: has no column "buyer"; correct via customers');
      expect(lines).toContain('problem orders: has no column "no"; correct key');
      expect(lines).toContain(
        'problem customers: has no column "number"; correct the via of orders',
      );
      expect(lines).toContain(
        'problem customers: has no column "Email"; write it as "email" in match.email',
      );
      expect(lines).toContain('problem customers: has no column "phone"; correct overwrite');
    });

    it('names the column that was probably meant', async () => {
      const lines = await withoutDoubt([table('customers', { match: { email: 'emial' } })]);
      expect(lines).toContain(
        'problem customers: has no column "emial"; write it as "email" in match.email',
      );
    });

    it('uses a unique index as the key if there is no primary key', async () => {
      const expected = 'ok visits: found by email in email; key customer, day; rows are deleted';
      expect(await of([table('visits')])).toContain(expected);
      expect(await of([table('visits', { key: ['customer', 'day'] })])).toContain(expected);
    });

    it('notes that nothing identifies the rows of a table', async () => {
      const lines = await of([table('hits')]);
      expect(lines).toContain('ok hits: found by email in email; no unique key; rows are deleted');
      expect(lines).toContainEqual(
        expect.stringMatching(/^note hits: has no unique key: its rows are erased by condition/),
      );
      expect(lines.filter((line) => line.startsWith('problem'))).toEqual([]);
    });

    it('refuses a key that is not unique, or may be NULL', async () => {
      const lines = await of([
        table('visits', { key: ['day'] }),
        table('customers', { key: ['code'] }),
      ]);
      expect(lines).toContainEqual(
        expect.stringMatching(
          /^problem visits: the key \(day\) is not unique.* add: CREATE UNIQUE INDEX visits_key ON visits \(day\)$/,
        ),
      );
      expect(lines).toContainEqual(
        expect.stringMatching(/^problem customers: the key column "code" may hold NULL/),
      );
    });

    it('says which columns no identity can equal', async () => {
      const lines = written(
        await check({
          work: tables([
            table('customers', { match: { email: 'id', controller_customer_id: 'born' } }),
          ]),
        }),
      );
      const level = connector === 'sqlite' ? 'warning' : 'problem';
      expect(lines).toContainEqual(
        expect.stringMatching(
          new RegExp(
            `^${level} customers: the column "id" is int.*, which no email can equal; match on a column of text$`,
            'i',
          ),
        ),
      );
      // A date of SQLite is a text like any other.
      expect(lines.some((line) => line.includes('"born"'))).toBe(connector !== 'sqlite');
    });

    it('looks at the table that identities are resolved in', async () => {
      const resolve = (name: string, to: string) => ({
        table: name,
        from: { type: 'email', column: 'email' } as const,
        to: { type: 'controller_customer_id', column: to } as const,
        limit: 5,
      });
      expect(written(await check({ resolve: resolve('customers', 'id') }))).toContain(
        'ok customers: gives the controller_customer_id (id) for each email (email)',
      );
      expect(written(await check({ resolve: resolve('customers', 'no') }))).toContain(
        `problem customers: has no column "no"${connector === 'mysql' ? DOUBT : ''}; correct resolve`,
      );
      expect(written(await check({ resolve: resolve('missing', 'id') }))).toContainEqual(
        expect.stringMatching(/^problem missing: does not exist/),
      );
      expect(written(await check({ resolve: resolve('customer_view', 'id') }))).toContainEqual(
        expect.stringMatching(
          /^problem customer_view: is a view, and "resolve" looks in tables alone/,
        ),
      );
      const tenancy = { way: 'column', column: 'account_id', values: { acme: '1' } } as const;
      expect(written(await check({ tenancy, resolve: resolve('customers', 'id') }))).toContainEqual(
        expect.stringMatching(
          /^problem customers: has no column "account_id".*list it in "tables" with "tenancy: none"/,
        ),
      );
    });
  },
);
