// A listed trigger may set further columns of rows that are changed anyway, on PostgreSQL too, and of no others.
import { describe, expect } from 'vitest';
import { held, itOn, tables, withTarget } from '../misled-target.ts';

const schemaOf = (body: string, event = 'UPDATE ON u') => `
  CREATE TABLE u (id int PRIMARY KEY, email text, at int);
  CREATE TABLE o (id int PRIMARY KEY, uid int REFERENCES u, at int);
  INSERT INTO u VALUES (1, 'jane@x.org'), (2, 'bob@x.org'), (3, 'jane@x.org');
  INSERT INTO o VALUES (1, 1), (2, 2);
  CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF pg_trigger_depth() = 1 THEN ${body}; END IF; RETURN NULL; END $$;
  CREATE TRIGGER t1 AFTER ${event} FOR EACH ROW EXECUTE FUNCTION f()`;
const OVERWRITTEN = tables(
  '{ table: u, match: { email: email }, action: { overwrite: { email: null } } }',
);
const PLAN = ['tenancy: none', 'triggers: [t1]', OVERWRITTEN];
const DETACHED = [
  'tenancy: none',
  'triggers: [t1]',
  'detach: [o.uid]',
  tables('{ table: u, match: { email: email } }'),
];

describe('a listed trigger of PostgreSQL', () => {
  itOn('PostgreSQL').each([
    'UPDATE u SET at = 1 WHERE id = NEW.id',
    // In a transaction within the transaction.
    'BEGIN UPDATE u SET at = 1 WHERE id = NEW.id; EXCEPTION WHEN division_by_zero THEN NULL; END',
  ])('may note the time of change in rows that are overwritten: %s', async (body) => {
    await withTarget('PostgreSQL', schemaOf(body), PLAN, async (shop) => {
      const request = await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.count('u WHERE email IS NULL AND at = 1')).toBe(2);
    });
  });

  itOn('PostgreSQL')('may note it in rows that are detached', async () => {
    const schema = schemaOf('UPDATE o SET at = 1 WHERE id = NEW.id', 'UPDATE ON o');
    await withTarget('PostgreSQL', schema, DETACHED, async (shop) => {
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.count('o WHERE uid IS NULL AND at = 1')).toBe(1);
    });
  });

  itOn('PostgreSQL').each([
    'UPDATE u SET at = 1 WHERE id = 2',
    'UPDATE u SET at = 1',
    'BEGIN UPDATE u SET at = 1 WHERE id = 2; EXCEPTION WHEN division_by_zero THEN NULL; END',
    "INSERT INTO u VALUES (9 + NEW.id, 'x', 1); UPDATE u SET at = 1 WHERE id = NEW.id",
    'DELETE FROM u WHERE id = 2; UPDATE u SET at = 1 WHERE id = NEW.id',
  ])('may not change others: %s', async (body) => {
    await withTarget('PostgreSQL', `${schemaOf(body)}; DELETE FROM o`, PLAN, async (shop) => {
      await shop.request();
      expect(await shop.run()).toMatchObject(held('unplanned_change'));
      expect(await shop.count('u WHERE at IS NULL AND email IS NOT NULL')).toBe(3);
    });
  });

  itOn('PostgreSQL')('may use a temporary table', async () => {
    const body = `CREATE TEMP TABLE IF NOT EXISTS tt (id int) ON COMMIT DROP; INSERT INTO tt VALUES (1)`;
    await withTarget('PostgreSQL', schemaOf(body), PLAN, async (shop) => {
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
    });
  });
});
