// Hand-written SQL that calls a procedure which commits: what it changed cannot be undone, and nobody is told so.
import { describe, expect } from 'vitest';
import { held, itOn, itOnMariadb, withTarget } from '../misled-target.ts';

const schemaOf = (body: string) => `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(60));
  INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'jane@x.org'), (3, 'bob@x.org');
  CREATE PROCEDURE forget(IN mail VARCHAR(60)) BEGIN ${body} END`;

const COUNT = 'SELECT count(*) FROM users WHERE email = :email';
const settings = (accept: string) => [
  'tenancy: none',
  'sql:',
  `  preview: "${COUNT}"`,
  '  erase: ["CALL forget(:email)"]',
  `  verify: "${COUNT}"`,
  ...(accept === '' ? [] : [`accept: { procedures: "${accept}" }`]),
];
const ONE = 'DELETE FROM users WHERE email = mail;';
const MAYBE_TWO = { action: 'already_erased', tables: { rows: { rows: 0, unconfirmed: 2 } } };

describe('a procedure that commits (MariaDB)', () => {
  itOn('MariaDB')('is refused where nobody has accepted it', () =>
    withTarget('MariaDB', schemaOf(ONE), settings(''), async (shop) => {
      expect(await shop.problems()).toEqual([expect.stringContaining('which may commit')]);
    }),
  );

  itOn('MariaDB').each(['COMMIT;', 'CREATE TABLE other (id INTEGER);'])(
    'holds with what was not undone where the numbers disagree (%s)',
    (commit) =>
      withTarget(
        'MariaDB',
        schemaOf(`${ONE} ${commit} DELETE FROM users;`),
        settings('x'),
        async (shop) => {
          const request = await shop.request();
          const { outcomes } = await shop.run();
          expect({ outcomes }).toMatchObject(held('statements_disagree'));
          expect(JSON.stringify(outcomes)).toContain('could NOT be undone');
          expect(await shop.statusOf(request)).toBe('in_progress');
        },
      ),
  );

  itOn('MariaDB')('may have erased what it committed before a later statement failed', () =>
    withTarget(
      'MariaDB',
      `${schemaOf(`${ONE} COMMIT;`)};
       CREATE TABLE states (is_locked INTEGER);
       INSERT INTO states VALUES (1);
       CREATE PROCEDURE finish(IN mail VARCHAR(60)) BEGIN
         IF (SELECT max(is_locked) FROM states) = 1 THEN SIGNAL SQLSTATE '45000'; END IF;
       END`,
      [...settings('x').with(3, '  erase: ["CALL forget(:email)", "CALL finish(:email)"]')],
      async (shop) => {
        const request = await shop.request();
        const { outcomes } = await shop.run();
        expect(outcomes).toMatchObject([{ outcome: 'failed' }]);
        await shop.query('UPDATE states SET is_locked = 0');
        shop.later();
        await shop.run();
        expect(await shop.evidenceOf(request)).toMatchObject(MAYBE_TWO);
      },
    ),
  );

  itOn('MariaDB')('may have erased what was not undone, once that is released', () =>
    withTarget(
      'MariaDB',
      schemaOf(`${ONE} COMMIT; DELETE FROM users;`),
      settings('x'),
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        await shop.release(request);
        await shop.run();
        expect(await shop.evidenceOf(request)).toMatchObject(MAYBE_TWO);
      },
    ),
  );

  // MySQL tells how many rows the last statement changed: none.
  itOnMariadb('is believed where the numbers agree', () =>
    withTarget('MariaDB', schemaOf(`${ONE} COMMIT;`), settings('x'), async (shop) => {
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.count('users')).toBe(1);
    }),
  );
});
