// The account or its search path changes after an attempt began: the same names lead to other tables, in which the rows
// of that attempt are neither there nor gone.
import { describe, expect } from 'vitest';
import { itOn, tables, withTarget } from '../misled-target.ts';

const inBoth = (sql: (schema: string) => string) => ['a', 'b'].map(sql).join(';');
const lookIn = (schema: string) =>
  `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = ${schema}', current_database()); END $$`;
const RESET = `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET search_path', current_database()); END $$;
  DROP SCHEMA a CASCADE; DROP SCHEMA b CASCADE`;
const SCHEMA = `
  ${inBoth(
    (schema) => `CREATE SCHEMA ${schema};
      CREATE TABLE ${schema}.users (id int PRIMARY KEY, email text);
      CREATE TABLE ${schema}.orders (id int PRIMARY KEY, user_id int);
      CREATE TABLE ${schema}.visits (email text)`,
  )};
  INSERT INTO a.users VALUES (1, 'jane@x.org');
  INSERT INTO a.orders VALUES (10, 1);
  INSERT INTO a.visits VALUES ('jane@x.org');
  INSERT INTO b.users VALUES (2, 'bob@x.org');
  INSERT INTO b.orders VALUES (20, 2), (30, 1);
  ${lookIn('a')}`;
const PLAN = [
  'tenancy: none',
  tables(
    '{ table: orders, via: { users: { user_id: id } } }',
    '{ table: users, match: { email: email } }',
  ),
];
const VISITS = ['tenancy: none', tables('{ table: visits, match: { email: email } }')];

const COUNT = 'SELECT count(*) FROM visits WHERE email = :email';
const STATEMENTS = [
  'tenancy: none',
  'sql:',
  `  preview: "${COUNT}"`,
  '  erase: ["DELETE FROM visits WHERE email = :email"]',
  `  verify: "${COUNT}"`,
];

describe('on PostgreSQL, a name that leads to another schema than before', () => {
  itOn('PostgreSQL').each([
    ['by keys', PLAN],
    ['by a condition', VISITS],
  ])('does not let an attempt that was cut off claim rows that are still there (%s)', (_, plan) =>
    withTarget('PostgreSQL', SCHEMA, plan, async (shop) => {
      try {
        const request = await shop.request();
        await shop.dieBeforeErasing();
        await shop.query(lookIn('b'));
        shop.configure(plan);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.evidenceOf(request)).toMatchObject({ action: 'not_found' });
        expect(await shop.count(plan === PLAN ? 'a.orders' : 'a.visits')).toBe(1);
        expect(await shop.count('b.orders')).toBe(2);
      } finally {
        await shop.query(RESET);
      }
    }),
  );

  itOn('PostgreSQL').each(['dieAfterErasing', 'runWithoutSecondLook'] as const)(
    'does not take rows with the same numbers for what was left of erased ones (%s)',
    (cutOff) =>
      withTarget('PostgreSQL', SCHEMA, PLAN, async (shop) => {
        try {
          const request = await shop.request();
          await shop[cutOff]();
          await shop.query(lookIn('b'));
          shop.configure(PLAN);
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect((await shop.evidenceOf(request))?.tables).toMatchObject({
            users: { rows: 1 },
            orders: { rows: 1 },
          });
          expect(await shop.count('b.orders')).toBe(2);
        } finally {
          await shop.query(RESET);
        }
      }),
  );

  itOn('PostgreSQL').each([
    ['dieBeforeErasing', 'not_found', 1],
    ['dieAfterErasing', 'erased', 0],
  ] as const)(
    'lets hand-written statements that were cut off claim what they have erased (%s)',
    (cutOff, action, left) =>
      withTarget('PostgreSQL', SCHEMA, STATEMENTS, async (shop) => {
        try {
          const request = await shop.request();
          await shop[cutOff]();
          await shop.query(lookIn('b'));
          shop.configure(STATEMENTS);
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.evidenceOf(request)).toMatchObject({
            action,
            tables: left === 0 ? { rows: { rows: 1 } } : {},
          });
          expect(await shop.count('a.visits')).toBe(left);
        } finally {
          await shop.query(RESET);
        }
      }),
  );
});
