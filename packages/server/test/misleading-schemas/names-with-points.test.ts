// Tables with a point in their names are written with their schema, in the plan and in what the check says.
import { describe, expect } from 'vitest';
import { describeOnEach, itOn, tables, withTarget } from './misled-target.ts';

const quote = (name: string) => `"${name}"`;

describe.each(['SQLite', 'PostgreSQL'] as const)('%s', (kind) => {
  const schema = kind === 'SQLite' ? 'main' : 'public';
  const SCHEMA = `CREATE TABLE ${quote('my.people')} (id INT PRIMARY KEY, email VARCHAR(99));
    CREATE TABLE ${quote('my.orders')} (id INT PRIMARY KEY, person INT, FOREIGN KEY (person) REFERENCES ${quote('my.people')} (id));
    CREATE TABLE ${quote('my.notes')} (id INT PRIMARY KEY, person INT, FOREIGN KEY (person) REFERENCES ${quote('my.people')} (id) ON DELETE CASCADE);
    INSERT INTO ${quote('my.people')} VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
    INSERT INTO ${quote('my.orders')} VALUES (1, 1), (2, 2);
    INSERT INTO ${quote('my.notes')} VALUES (1, 1), (2, 2)`;
  const PEOPLE = `{ table: ${schema}.my.people, match: { email: email } }`;

  itOn(kind)('are found, detached and reached by cascades', () =>
    withTarget(
      kind,
      SCHEMA,
      [
        'tenancy: none',
        tables(PEOPLE),
        `detach: [${schema}.my.orders.person]`,
        `cascades: [${schema}.my.notes]`,
      ],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count(quote('my.people'))).toBe(1);
        expect(await shop.count(quote('my.notes'))).toBe(1);
        expect(await shop.count(`${quote('my.orders')} WHERE person IS NULL`)).toBe(1);
      },
    ),
  );

  itOn(kind)('are named so by the check', () =>
    withTarget(kind, SCHEMA, ['tenancy: none', tables(PEOPLE)], async (shop) => {
      expect(await shop.problems()).toEqual([
        expect.stringContaining(`cascades: [${schema}.my.notes]`),
      ]);
    }),
  );
});

describe('MariaDB', () => {
  const DATABASE = 'names_with_points';
  itOn('MariaDB')('finds tables with a point, and the account may erase from them', () =>
    withTarget(
      'MariaDB',
      `DROP DATABASE IF EXISTS ${DATABASE}; CREATE DATABASE ${DATABASE};
      CREATE TABLE ${DATABASE}.\`my.people\` (id INT PRIMARY KEY, email VARCHAR(99))`,
      ['tenancy: none', tables(`{ table: ${DATABASE}.my.people, match: { email: email } }`)],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const index = `ON ${DATABASE}.\`my.people\` (email`;
        // No index is advised for a table of a few rows.
        expect(await shop.warnings()).toContainEqual(expect.stringContaining(index));
        await shop.query(
          `INSERT INTO ${DATABASE}.\`my.people\` VALUES (1, 'jane@x.org'), (2, 'bob@x.org')`,
        );
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count(`${DATABASE}.\`my.people\``)).toBe(1);
        await shop.query(`DROP DATABASE ${DATABASE}`);
      },
    ),
  );
});

describeOnEach('a column with a point in its name, %s', (kind) => {
  const name = kind === 'MariaDB' ? '`user.email`' : quote('user.email');

  itOn(kind)('is found, overwritten, and written so in the index to add', () =>
    withTarget(
      kind,
      `CREATE TABLE people (id INT PRIMARY KEY, ${name} VARCHAR(99))`,
      [
        'tenancy: none',
        tables(
          '{ table: people, match: { email: user.email }, action: { overwrite: { user.email: null } } }',
        ),
      ],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        expect(await shop.warnings()).toContainEqual(expect.stringContaining(`${name}`));
        await shop.query("INSERT INTO people VALUES (1, 'jane@x.org'), (2, 'bob@x.org')");
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count(`people WHERE ${name} IS NULL`)).toBe(1);
      },
    ),
  );
});
