// Keys of periods (PostgreSQL 18): WITHOUT OVERLAPS, and foreign keys with PERIOD.
import { describe, expect } from 'vitest';
import { freshPostgres, hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { itOn, refused, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE EXTENSION IF NOT EXISTS btree_gist;
  CREATE TABLE u (id int, va daterange, email text, PRIMARY KEY (id, va WITHOUT OVERLAPS));
  CREATE TABLE o (id int PRIMARY KEY, uid int, va daterange,
    FOREIGN KEY (uid, PERIOD va) REFERENCES u (id, PERIOD va));
  INSERT INTO u VALUES (1, '[2020-01-01,2021-01-01)', 'jane@x.org'), (1, '[2021-01-01,2022-01-01)', 'jane@x.org'),
    (2, '[2020-01-01,2021-01-01)', 'bob@x.org');
  INSERT INTO o VALUES (1, 1, '[2020-02-01,2020-03-01)'), (2, 2, '[2020-02-01,2020-03-01)'),
    (3, 1, '[2020-12-01,2021-03-01)')`;
const USERS = '{ table: u, match: { email: email } }';

async function hasPeriods(): Promise<boolean> {
  if (!(await hasPostgres())) return false;
  const database = await freshPostgres();
  const [row] = await database.query(`SELECT current_setting('server_version_num')::int AS no`);
  await database.close();
  return Number(row?.no) >= 180_000;
}

describe.skipIf(!(await hasPeriods()))('a foreign key of periods', () => {
  itOn('PostgreSQL').each([
    ['followed', tables('{ table: o, via: { u: { uid: id } } }', USERS)],
    ['not followed', tables(USERS)],
  ])('is refused, whether it is %s', async (_, list) => {
    await withTarget('PostgreSQL', SCHEMA, ['tenancy: none', list], async (shop) => {
      expect(await shop.problems()).toContainEqual(
        expect.stringMatching(/^o: refers to u by periods \(foreign key \w+, PERIOD\).*by hand/),
      );
      await shop.request();
      expect(await shop.run()).toMatchObject(refused('by periods'));
      expect(await shop.count('o')).toBe(3);
    });
  });
});
