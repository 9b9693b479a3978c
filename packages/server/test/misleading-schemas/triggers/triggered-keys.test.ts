// Foreign keys behind tables that a listed trigger writes to, and triggers that fire where references are let go:
// on MariaDB, which tells only how many rows were changed in all.
import { describe, expect } from 'vitest';
import { held, itOn, refused, tables, withTarget } from '../misled-target.ts';

const USERS = '{ table: u, match: { email: email } }';
const settings = (...more: readonly string[]) => ['tenancy: none', tables(USERS), ...more];
const PEOPLE = "INSERT INTO u VALUES (1, 'jane@x.org'), (2, 'bob@x.org')";

describe('a foreign key behind a table that a listed trigger writes to', () => {
  const schema = (action: string, body: string) => `
    CREATE TABLE u (id INT PRIMARY KEY, email VARCHAR(50));
    CREATE TABLE b (id INT PRIMARY KEY, uid INT, v INT UNIQUE);
    CREATE TABLE c (id INT PRIMARY KEY, bid INT, FOREIGN KEY (bid) REFERENCES b (${/UPDATE/.test(action) ? 'v' : 'id'}) ${action});
    ${PEOPLE}; INSERT INTO b VALUES (1, 1, 1), (2, 2, 2); INSERT INTO c VALUES (1, 1), (2, 2);
    CREATE TRIGGER t1 AFTER DELETE ON u FOR EACH ROW ${body}`;
  const deleted = 'DELETE FROM b WHERE uid = OLD.id';

  for (const [what, action, body] of [
    ['deletes', 'ON DELETE CASCADE', deleted],
    ['lets go', 'ON DELETE SET NULL', deleted],
    ['follows', 'ON UPDATE CASCADE', 'UPDATE b SET v = 9 WHERE uid = OLD.id'],
    ['goes with what is replaced', 'ON DELETE CASCADE', 'REPLACE INTO b VALUES (1, 1, 1)'],
  ] as const)
    itOn('MariaDB')(`${what}: it is held until that is accepted`, () =>
      withTarget('MariaDB', schema(action, body), settings('triggers: [t1]'), async (shop) => {
        const request = await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
        expect(await shop.count('c WHERE bid = id')).toBe(2);
        shop.configure(settings('triggers: [t1]', 'accept: { "trigger:t1": "b is meant" }'));
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
      }),
    );

  itOn('MariaDB')('follows a column of the overwritten row itself', () =>
    withTarget(
      'MariaDB',
      `CREATE TABLE u (id INT PRIMARY KEY, email VARCHAR(50), code INT UNIQUE);
       CREATE TABLE c (id INT PRIMARY KEY, code INT, FOREIGN KEY (code) REFERENCES u (code) ON UPDATE CASCADE);
       INSERT INTO u VALUES (1, 'jane@x.org', 1); INSERT INTO c VALUES (1, 1);
       CREATE TRIGGER t1 BEFORE UPDATE ON u FOR EACH ROW SET NEW.code = 9`,
      [
        'tenancy: none',
        'triggers: [t1]',
        tables('{ table: u, match: { email: email }, action: { overwrite: { email: null } } }'),
      ],
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
        expect(await shop.count('c WHERE code = 1')).toBe(1);
      },
    ),
  );
});

describe('a trigger that fires where a reference is let go', () => {
  const ADDRESSES = '{ table: a, via: { u: { uid: id } } }';
  const LOG = 'CREATE TRIGGER tx AFTER UPDATE ON u FOR EACH ROW INSERT INTO log VALUES (OLD.email)';
  itOn('MariaDB')('between two tables has to be listed', () =>
    withTarget(
      'MariaDB',
      `CREATE TABLE u (id INT PRIMARY KEY, email VARCHAR(50), aid INT);
       CREATE TABLE a (id INT PRIMARY KEY, uid INT NOT NULL, FOREIGN KEY (uid) REFERENCES u (id));
       INSERT INTO u VALUES (1, 'jane@x.org', NULL); INSERT INTO a VALUES (1, 1);
       ALTER TABLE u ADD FOREIGN KEY (aid) REFERENCES a (id); UPDATE u SET aid = 1;
       CREATE TABLE log (old VARCHAR(50)); ${LOG}`,
      ['tenancy: none', tables(ADDRESSES, USERS)],
      async (shop) => {
        expect(await shop.problems()).toEqual([
          expect.stringContaining('the trigger tx fires on update'),
        ]);
        const request = await shop.request();
        expect(await shop.run()).toMatchObject(refused('triggers: [tx]'));
        shop.configure(['tenancy: none', tables(ADDRESSES, USERS), 'triggers: [tx]']);
        shop.later();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
      },
    ),
  );

  itOn('MariaDB')('of a row to itself holds the request until it is listed', () =>
    withTarget(
      'MariaDB',
      `CREATE TABLE u (id INT PRIMARY KEY, email VARCHAR(50), boss INT, FOREIGN KEY (boss) REFERENCES u (id));
       INSERT INTO u VALUES (1, 'jane@x.org', 1); CREATE TABLE log (old VARCHAR(50)); ${LOG}`,
      settings(),
      async (shop) => {
        expect(await shop.warnings()).toContainEqual(
          expect.stringContaining('the trigger tx fires on update'),
        );
        const request = await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
        expect(await shop.count('log')).toBe(0);
        shop.configure(settings('triggers: [tx]'));
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
      },
    ),
  );

  itOn('SQLite')('of a row to itself is only warned of where changes are counted', () =>
    withTarget(
      'SQLite',
      `CREATE TABLE u (id INTEGER PRIMARY KEY, email TEXT, boss INTEGER REFERENCES u (id));
       CREATE TABLE log (old TEXT); INSERT INTO u VALUES (1, 'jane@x.org', 2), (2, 'bob@x.org', NULL);
       CREATE TRIGGER tx AFTER UPDATE ON u BEGIN INSERT INTO log VALUES (OLD.email); END`,
      settings(),
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        expect(await shop.warnings()).toContainEqual(
          expect.stringContaining('the trigger tx fires on update'),
        );
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
      },
    ),
  );
});
