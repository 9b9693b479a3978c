// A hand-written preview or verify that does not answer a number has counted nothing: that is not the same as none.
import { expect } from 'vitest';
import { describeOnEach, held, itOn, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(60));
  CREATE TABLE logs (id INTEGER PRIMARY KEY, email VARCHAR(60));
  INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'jane@x.org'), (3, 'bob@x.org');
  INSERT INTO logs VALUES (1, 'jane@x.org')`;
const FROM = 'FROM users WHERE email = :email';
const COUNT = `SELECT count(*) AS n ${FROM}`;
const LOGS = 'SELECT count(*) FROM logs WHERE email = :email';

const settings = (verify: string, preview = COUNT) => [
  'tenancy: none',
  'sql:',
  `  preview: "${preview}"`,
  `  erase: ["DELETE ${FROM}"]`,
  `  verify: "${verify}"`,
];

const ANSWERS: readonly (readonly [what: string, statement: string, words: string])[] = [
  ['NULL', `SELECT sum(1) AS n ${FROM}`, 'coalesce(sum('],
  ['no row', `SELECT count(*) AS n ${FROM} GROUP BY email`, 'GROUP BY'],
  ['an empty text', `SELECT coalesce(max(email), '') AS n ${FROM}`, 'count(*)'],
  ['blanks', `SELECT coalesce(max(email), '  ') AS n ${FROM}`, 'count(*)'],
  ['a fraction', `SELECT count(*) + 0.4 AS n ${FROM}`, 'count(*)'],
  ['a negative number', `SELECT count(*) - 9 AS n ${FROM}`, 'count(*)'],
  ['two counts of one name', `SELECT (${LOGS}) AS n, (${COUNT}) AS n`, 'a row for each'],
  ['two counts of two names', `SELECT (${LOGS}) AS l, (${COUNT}) AS u`, 'a row for each'],
];

describeOnEach('%s', (kind) => {
  itOn(kind).each(ANSWERS)('sql.verify that answers %s is held', (_, statement, words) =>
    withTarget(kind, SCHEMA, settings(statement), async (shop) => {
      expect(await shop.problems()).toEqual([expect.stringContaining(words)]);
      const request = await shop.request();
      const { down, outcomes } = await shop.run();
      expect({ down, outcomes }).toMatchObject({
        down: undefined,
        ...held('statements_disagree'),
      });
      expect(JSON.stringify(outcomes)).toContain(words);
      expect(JSON.stringify(outcomes)).toContain('sql.verify');
      expect(JSON.stringify(outcomes)).not.toContain('jane');
      expect(await shop.statusOf(request)).toBe('in_progress');
      // What the detail says ends it, and nothing is lost of what was erased before.
      shop.configure(settings(COUNT));
      await shop.release(request);
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.evidenceOf(request)).toMatchObject({ tables: { rows: { rows: 2 } } });
    }),
  );

  itOn(kind).each(ANSWERS)('sql.preview that answers %s is held', (_, statement, words) =>
    withTarget(kind, SCHEMA, settings(COUNT, statement), async (shop) => {
      const request = await shop.request();
      await shop.query("DELETE FROM users WHERE email = 'jane@x.org'");
      const { down, outcomes } = await shop.run();
      expect({ down, outcomes }).toMatchObject({
        down: undefined,
        ...held('statements_disagree'),
      });
      expect(JSON.stringify(outcomes)).toContain(words);
      expect(JSON.stringify(outcomes)).toContain('sql.preview');
      expect(await shop.statusOf(request)).toBe('in_progress');
    }),
  );

  itOn(kind)('rows of a name and a number, of which there are none, count as none', () =>
    withTarget(
      kind,
      SCHEMA,
      settings(`SELECT 'users' AS name, count(*) AS n ${FROM} GROUP BY email`),
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
      },
    ),
  );
});
