// One table under two spellings in one plan: to the database it is one, so the plan has to call it by one name.
import { expect } from 'vitest';
import { describeOnEach, itOn, type Kind, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(60));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, uid INT, boss INT,
    FOREIGN KEY (uid) REFERENCES users (id), FOREIGN KEY (boss) REFERENCES users (id));
  CREATE TABLE notes (id INTEGER PRIMARY KEY, uid INT, FOREIGN KEY (uid) REFERENCES users (id) ON DELETE CASCADE);
  INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO orders VALUES (1, 1, NULL), (2, 2, 1);
  INSERT INTO notes VALUES (1, 1)`;
const USERS = '{ table: users, match: { email: email } }';
const ORDERS = '{ table: orders, via: { users: { uid: id } } }';

const OTHER_NAMES: Readonly<Record<Kind, (table: string, database: string) => string[]>> = {
  SQLite: (table) => [table.toUpperCase(), `main.${table}`, `MAIN.${table.toUpperCase()}`],
  PostgreSQL: (table) => [`public.${table}`],
  MariaDB: (table, database) => [`${database}.${table}`],
};

describeOnEach('%s', (kind) => {
  async function databaseOf(query: (sql: string) => Promise<readonly unknown[]>): Promise<string> {
    if (kind !== 'MariaDB') return '';
    const [row] = (await query('SELECT database() AS name')) as { name: string }[];
    return row?.name ?? '';
  }

  itOn(kind)('under "detach": the line to write is named, and ends it', () =>
    withTarget(
      kind,
      SCHEMA,
      ['tenancy: none', 'cascades: [notes]', tables(ORDERS, USERS)],
      async (shop) => {
        for (const name of OTHER_NAMES[kind]('orders', await databaseOf(shop.query))) {
          const plan = ['tenancy: none', 'cascades: [notes]', tables(ORDERS, USERS)];
          shop.configure([...plan, `detach: [${name}.boss]`]);
          expect(await shop.problems()).toEqual([
            expect.stringContaining('write orders.boss under "detach"'),
          ]);
        }
        shop.configure([
          'tenancy: none',
          'cascades: [notes]',
          tables(ORDERS, USERS),
          'detach: [orders.boss]',
        ]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count('orders WHERE boss IS NULL')).toBe(1);
      },
    ),
  );

  itOn(kind)('under "tables" and "cascades"', () =>
    withTarget(kind, SCHEMA, ['tenancy: none', tables(USERS)], async (shop) => {
      const database = await databaseOf(shop.query);
      for (const name of OTHER_NAMES[kind]('orders', database)) {
        const again = `{ table: "${name}", via: { users: { boss: id } } }`;
        shop.configure(['tenancy: none', 'cascades: [notes]', tables(ORDERS, again, USERS)]);
        expect(await shop.problems()).toContainEqual(expect.stringContaining('is the same table'));
      }
      for (const name of OTHER_NAMES[kind]('notes', database)) {
        shop.configure([
          'tenancy: none',
          `cascades: [notes, ${name}]`,
          'detach: [orders.boss]',
          tables(ORDERS, USERS),
        ]);
        expect(await shop.problems()).toEqual([
          expect.stringContaining('is the same table as notes'),
        ]);
      }
    }),
  );

  itOn(kind)('a name in quotes is told to be written without', () =>
    withTarget(
      kind,
      SCHEMA,
      ['tenancy: none', tables(`{ table: '"users"', match: { email: email } }`)],
      async (shop) => {
        expect(await shop.problems()).toEqual([expect.stringContaining('write it as users')]);
      },
    ),
  );

  itOn(kind)('one other spelling for everything is one table', () =>
    withTarget(kind, SCHEMA, ['tenancy: none', tables(USERS)], async (shop) => {
      const database = await databaseOf(shop.query);
      const [[users = ''] = [], [orders = ''] = [], [notes = ''] = []] = [
        'users',
        'orders',
        'notes',
      ].map((table) => OTHER_NAMES[kind](table, database));
      shop.configure([
        'tenancy: none',
        `cascades: [${notes}]`,
        `detach: [${orders}.boss]`,
        tables(
          `{ table: ${orders}, via: { ${users}: { uid: id } } }`,
          `{ table: ${users}, match: { email: email } }`,
        ),
      ]);
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect((await shop.evidenceOf(request))?.tables).toEqual({
        [users]: { action: 'delete', rows: 1 },
        [orders]: { action: 'delete', rows: 1, detached: 1 },
        [notes]: { action: 'cascade', rows: 1 },
      });
    }),
  );

  itOn(kind)('a worker died, and the plan calls the table otherwise now', () =>
    withTarget(
      kind,
      SCHEMA,
      ['tenancy: none', 'cascades: [notes]', 'detach: [orders.boss]', tables(ORDERS, USERS)],
      async (shop) => {
        const request = await shop.request();
        await shop.dieAfterErasing();
        const database = await databaseOf(shop.query);
        const [[users = ''] = [], [orders = ''] = []] = ['users', 'orders'].map((table) =>
          OTHER_NAMES[kind](table, database),
        );
        shop.configure([
          'tenancy: none',
          'cascades: [notes]',
          `detach: [${orders}.boss]`,
          tables(
            `{ table: ${orders}, via: { ${users}: { uid: id } } }`,
            `{ table: ${users}, match: { email: email } }`,
          ),
        ]);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        const { tables: rows = {}, ...evidence } = (await shop.evidenceOf(request)) ?? {};
        expect(evidence).toMatchObject({ action: 'erased', recovered: true });
        expect(Object.values(rows).reduce((sum, one) => sum + one.rows, 0)).toBe(3);
      },
    ),
  );
});
