// The configuration changes after an attempt has erased: what the new one declares beside, and what belonged to rows that
// are gone, is not passed over.
import { describe, expect } from 'vitest';
import { describeOnEach, held, itOn, tables, withTarget } from './misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, code VARCHAR(10) NOT NULL UNIQUE, email VARCHAR(100), backup VARCHAR(100));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER, user_code VARCHAR(10));
  INSERT INTO users VALUES (1, 'J', 'jane@x.org', NULL), (2, 'B', 'bob@x.org', NULL);
  INSERT INTO orders VALUES (10, 1, 'J'), (20, 2, 'B')`;
const USERS = '{ table: users, match: { email: email } }';
const orders = (more: string) => `{ table: orders, via: { users: { user_id: id } }${more} }`;
const plan = (...list: readonly string[]) => ['tenancy: none', tables(...list)];

const WITH_VISITS = `${SCHEMA};
  CREATE TABLE visits (email VARCHAR(100));
  INSERT INTO visits VALUES ('jane@x.org'), ('bob@x.org')`;
const VISITS = '{ table: visits, match: { email: email } }';

const CHANGES: readonly [string, readonly string[], readonly string[]][] = [
  ['declares another table', plan(USERS), plan(orders(''), USERS)],
  [
    'deletes what was retained',
    plan(orders(', action: { retain: tax }'), USERS),
    plan(orders(''), USERS),
  ],
  [
    'retains rows that were deleted, and declares another table',
    plan(USERS),
    plan(orders(''), '{ table: users, match: { email: email }, action: { retain: tax } }'),
  ],
  [
    'names rows by another key, and declares another table',
    plan(USERS),
    plan(orders(''), '{ table: users, key: [code], match: { email: email } }'),
  ],
  [
    'lists the table several times, and declares another',
    plan(USERS),
    plan(
      orders(''),
      '{ table: users, where: { code: J }, match: { email: email } }',
      '{ table: users, where: { code: B }, match: { email: email } }',
    ),
  ],
];

describeOnEach('on %s, a configuration that', (kind) => {
  describe.each(CHANGES)('%s', (_, before, after) => {
    itOn(kind).each(['dieAfterErasing', 'runWithoutSecondLook'] as const)(
      'holds what is left of rows that are gone (%s)',
      (cutOff) =>
        withTarget(kind, SCHEMA, before, async (shop) => {
          const request = await shop.request();
          await shop[cutOff]();
          shop.configure(after);
          expect(await shop.run()).toMatchObject(held('orphaned'));
          await shop.query('DELETE FROM orders WHERE id = 10');
          await shop.release(request);
          await shop.run();
          const evidence = await shop.evidenceOf(request);
          const rows = Object.values(evidence?.tables ?? {}).map((table) => table.rows);
          expect(rows.reduce((sum, own) => sum + own, 0)).toBe(1);
          expect(await shop.count('orders')).toBe(1);
        }),
    );
  });

  itOn(kind).each(['dieAfterErasing', 'runWithoutSecondLook'] as const)(
    'leaves out a table without a key, and declares another, holds what is left of rows that are gone (%s)',
    (cutOff) =>
      withTarget(kind, WITH_VISITS, plan(VISITS, USERS), async (shop) => {
        const request = await shop.request();
        await shop[cutOff]();
        shop.configure(plan(orders(''), USERS));
        expect(await shop.run()).toMatchObject(held('orphaned'));
        await shop.query('DELETE FROM orders WHERE id = 10');
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count('orders')).toBe(1);
        expect(await shop.evidenceOf(request)).toMatchObject({
          action: 'erased',
          tables: { users: { rows: 1 } },
        });
      }),
  );

  itOn(kind)('leaves out a table without a key does not hold what changed nothing before', () =>
    withTarget(kind, WITH_VISITS, plan(VISITS, USERS), async (shop) => {
      const request = await shop.request();
      await shop.dieBeforeErasing();
      shop.configure(plan(orders(''), USERS));
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect((await shop.evidenceOf(request))?.tables).toEqual({
        orders: { action: 'delete', rows: 1 },
        users: { action: 'delete', rows: 1 },
      });
    }),
  );

  itOn(kind)('lists a table under "cascades" does not change how its rows went before', () =>
    withTarget(kind, SCHEMA, plan(orders(''), USERS), async (shop) => {
      const request = await shop.request();
      await shop.dieAfterErasing();
      shop.configure([...plan(USERS), 'cascades: [orders]']);
      await shop.run();
      expect((await shop.evidenceOf(request))?.tables).toMatchObject({
        orders: { action: 'delete', rows: 1 },
        users: { action: 'delete', rows: 1 },
      });
    }),
  );

  const OVERWRITTEN =
    '{ table: users, match: { email: email }, action: { overwrite: { email: null, backup: gone } } }';

  itOn(kind).each([
    ['deletes', OVERWRITTEN, USERS, 'overwrite', 2],
    ['overwrites', USERS, OVERWRITTEN, 'delete', 1],
  ] as const)('%s does not change how rows went before', (_, first, second, action, left) =>
    withTarget(kind, SCHEMA, plan(first), async (shop) => {
      for (const cutOff of ['dieAfterErasing', 'runWithoutSecondLook'] as const) {
        const request = await shop.request();
        await shop[cutOff]();
        expect(await shop.count('users')).toBe(left);
        shop.configure(plan(second));
        await shop.run();
        expect((await shop.evidenceOf(request))?.tables).toEqual({ users: { action, rows: 1 } });
        await shop.query('DELETE FROM users WHERE id = 1');
        await shop.query("INSERT INTO users VALUES (1, 'J', 'jane@x.org', NULL)");
        shop.configure(plan(first));
      }
    }),
  );

  itOn(kind)('deletes beside what was overwritten does not say that all rows are gone', () =>
    withTarget(
      kind,
      `${SCHEMA}; INSERT INTO users VALUES (3, 'K', 'jane@x.org', NULL)`,
      plan(OVERWRITTEN.replace('match', 'where: { code: J }, match')),
      async (shop) => {
        const request = await shop.request();
        await shop.runWithoutSecondLook();
        shop.configure(plan(USERS));
        await shop.run();
        expect((await shop.evidenceOf(request))?.tables).toEqual({
          users: { action: 'overwrite', rows: 2 },
        });
        expect(await shop.count('users')).toBe(2);
      },
    ),
  );

  itOn(kind)('deletes what was overwritten, and is still found, says so', () =>
    withTarget(
      kind,
      SCHEMA,
      plan('{ table: users, match: { email: email }, action: { overwrite: { backup: gone } } }'),
      async (shop) => {
        const request = await shop.request();
        await shop.runWithoutSecondLook();
        shop.configure(plan(USERS));
        await shop.runWithoutSecondLook();
        await shop.run();
        expect((await shop.evidenceOf(request))?.tables).toEqual({
          users: { action: 'delete', rows: 1 },
        });
      },
    ),
  );

  itOn(kind)('finds rows without a key in another way does not claim what was not erased', () =>
    withTarget(
      kind,
      `CREATE TABLE people (email VARCHAR(100), backup VARCHAR(100));
      INSERT INTO people VALUES ('jane@x.org', NULL), ('bob@x.org', NULL)`,
      plan('{ table: people, match: { email: email } }'),
      async (shop) => {
        const request = await shop.request();
        await shop.dieBeforeErasing();
        shop.configure(plan('{ table: people, match: { email: backup } }'));
        await shop.run();
        expect(await shop.evidenceOf(request)).toMatchObject({ action: 'not_found' });
        expect(await shop.count('people')).toBe(2);
      },
    ),
  );

  // MariaDB cannot overwrite such rows.
  if (kind !== 'MariaDB')
    itOn(kind)('deletes rows without a key that were overwritten holds those that are left', () =>
      withTarget(
        kind,
        `CREATE TABLE people (no INTEGER PRIMARY KEY, email VARCHAR(100));
      CREATE TABLE visits (body VARCHAR(100), person INTEGER);
      INSERT INTO people VALUES (1, 'jane@x.org');
      INSERT INTO visits VALUES ('to Jane', 1)`,
        plan(
          '{ table: visits, via: { people: { person: no } }, shared: erase, action: { overwrite: { body: gone } } }',
          '{ table: people, match: { email: email } }',
        ),
        async (shop) => {
          await shop.request();
          await shop.dieAfterErasing();
          shop.configure(
            plan(
              '{ table: visits, via: { people: { person: no } }, shared: erase }',
              '{ table: people, match: { email: email } }',
            ),
          );
          expect(await shop.run()).toMatchObject(held('orphaned'));
        },
      ),
    );

  itOn(kind)('has another limit does not change what is known of rows without a key', () =>
    withTarget(
      kind,
      "CREATE TABLE people (email VARCHAR(100)); INSERT INTO people VALUES ('jane@x.org'), ('bob@x.org')",
      plan('{ table: people, match: { email: email } }'),
      async (shop) => {
        const request = await shop.request();
        await shop.dieAfterErasing();
        shop.configure([
          ...plan('{ table: people, match: { email: email } }'),
          'max_rows_per_subject: 9',
        ]);
        await shop.run();
        expect(await shop.evidenceOf(request)).toMatchObject({
          recovered: true,
          tables: { people: { rows: 1 } },
        });
      },
    ),
  );
});
