// Keys of periods (PostgreSQL 18): WITHOUT OVERLAPS, and foreign keys with PERIOD.
import { describe, expect } from 'vitest';
import { freshPostgres, hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { itOn, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE EXTENSION IF NOT EXISTS btree_gist;
  CREATE TABLE u (id int, va daterange, email text, PRIMARY KEY (id, va WITHOUT OVERLAPS));
  CREATE TABLE o (id int PRIMARY KEY, uid int, va daterange,
    FOREIGN KEY (uid, PERIOD va) REFERENCES u (id, PERIOD va));
  INSERT INTO u VALUES (1, '[2020-01-01,2021-01-01)', 'jane@x.org'), (1, '[2021-01-01,2022-01-01)', 'jane@x.org'),
    (2, '[2020-01-01,2021-01-01)', 'bob@x.org');
  INSERT INTO o VALUES (1, 1, '[2020-02-01,2020-03-01)'), (2, 2, '[2020-02-01,2020-03-01)'),
    (3, 1, '[2020-12-01,2021-03-01)')`;
const ORDERS = '{ table: o, via: { u: { uid: id, va: va } } }';
const WHOLE_ORDERS = '{ table: o, via: { u: { uid: id } } }';
const USERS = '{ table: u, match: { email: email } }';
const OVERWRITTEN = '{ table: u, match: { email: email }, action: { overwrite: { email: null } } }';

async function hasPeriods(): Promise<boolean> {
  if (!(await hasPostgres())) return false;
  const database = await freshPostgres();
  const [row] = await database.query(`SELECT current_setting('server_version_num')::int AS no`);
  await database.close();
  return Number(row?.no) >= 180_000;
}

describe.skipIf(!(await hasPeriods()))('a foreign key of periods', () => {
  itOn('PostgreSQL').each([
    [OVERWRITTEN, 'overwritten'],
    [USERS, 'deleted'],
  ])('is not followed by equal periods: %s', async (users) => {
    await withTarget(
      'PostgreSQL',
      SCHEMA,
      ['tenancy: none', tables(ORDERS, users)],
      async (shop) => {
        expect(await shop.problems()).toEqual([
          expect.stringMatching(
            /^o: is found by u with the period "va" .* via: \{ u: \{ uid: id \} \}/,
          ),
        ]);
      },
    );
  });

  itOn('PostgreSQL').each([OVERWRITTEN, USERS])(
    'is followed by what is equal: %s',
    async (users) => {
      const settings = ['tenancy: none', tables(WHOLE_ORDERS, users)];
      await withTarget('PostgreSQL', SCHEMA, settings, async (shop) => {
        expect(await shop.problems()).toEqual([]);
        expect((await shop.warnings()).filter((line) => /detach|via/.test(line))).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT id FROM o')).toEqual([{ id: 2 }]);
        expect(await shop.count("u WHERE email = 'jane@x.org'")).toBe(0);
        expect(await shop.count("u WHERE email = 'bob@x.org'")).toBe(1);
      });
    },
  );

  itOn('PostgreSQL')("is held where a period of the same key is somebody else's", async () => {
    const schema = `${SCHEMA}; UPDATE u SET email = 'carol@x.org' WHERE id = 1 AND va @> date '2021-06-01'`;
    const settings = ['tenancy: none', tables(WHOLE_ORDERS, USERS)];
    await withTarget('PostgreSQL', schema, settings, async (shop) => {
      await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'held', reason: 'shared' }] });
      expect(await shop.count('o')).toBe(3);
    });
  });

  itOn('PostgreSQL')('is not detached, and detaching it is not advised', async () => {
    const settings = ['tenancy: none', tables(USERS)];
    await withTarget('PostgreSQL', SCHEMA, [...settings, 'detach: [o.uid]'], async (shop) => {
      expect(await shop.problems()).toEqual([
        expect.stringMatching(/^o: refers to u, .* by periods \(foreign key \w+, PERIOD\)/),
      ]);
      shop.configure(settings);
      expect(await shop.problems()).toEqual([]);
      expect((await shop.warnings()).join()).not.toContain('detach');
      await shop.request();
      const { outcomes } = await shop.run();
      expect(outcomes).toMatchObject([{ outcome: 'held', reason: 'unplanned_change' }]);
      expect(JSON.stringify(outcomes)).not.toContain('detach');
    });
  });
});
