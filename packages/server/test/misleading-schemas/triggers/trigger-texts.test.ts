// MariaDB does not tell what a trigger has changed, so the texts of listed triggers are read, and one that is not
// understood to its last word is refused.
import { describe, expect } from 'vitest';
import { itOn, itOnMariadb, refused, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE u (id INT PRIMARY KEY, email VARCHAR(50));
  CREATE TABLE b (id INT PRIMARY KEY, v INT);
  INSERT INTO u VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO b VALUES (1, 1), (2, 2)`;
/** What MySQL has no words for. */
const OF_MARIADB = /^(?:behind settings of the statement|by a procedure in the words)/;
const LISTED = [
  'tenancy: none',
  'triggers: [listed]',
  tables('{ table: u, match: { email: email } }'),
];
const DELETES = 'DELETE FROM b WHERE id = 2';

const trigger = (body: string, mode = '', before = 'SELECT 1') => `
  ${SCHEMA}; ${before}; SET @mode = @@sql_mode; SET sql_mode = '${mode}';
  CREATE TRIGGER listed AFTER DELETE ON u FOR EACH ROW ${body};
  SET sql_mode = @mode`;

describe('a listed trigger on MariaDB writes to a table that the target does not name', () => {
  for (const [what, schema, text] of [
    ['in brackets', trigger('UPDATE (b) SET v = 9 WHERE id = 2'), 'writes to b'],
    [
      'in brackets with another',
      trigger('UPDATE (b JOIN u ON u.id = b.id) SET b.v = 9 WHERE b.id = 2'),
      'writes to b',
    ],
    [
      'behind settings of the statement',
      trigger('SET STATEMENT max_statement_time = 10 FOR UPDATE b SET v = 9 WHERE id = 2'),
      'not understood from "STATEMENT"',
    ],
    [
      'behind a text with a backslash that is none',
      trigger(`BEGIN SET @x = '\\'; ${DELETES}; SET @y = 'z'; END`, 'NO_BACKSLASH_ESCAPES'),
      'writes to b',
    ],
    [
      'behind a text that ends with a backslash',
      trigger(`BEGIN SET @x = '\\\\'; ${DELETES}; SET @y = 'z'; END`),
      'writes to b',
    ],
    [
      'by a procedure in the words of another database',
      trigger('BEGIN p1; END', 'ORACLE', `CREATE PROCEDURE p1() ${DELETES}`),
      'the SQL mode',
    ],
    [
      'by a view that calls a function',
      trigger(
        'BEGIN DECLARE x INT; SELECT f INTO x FROM vf; END',
        '',
        `CREATE FUNCTION f1() RETURNS INT MODIFIES SQL DATA BEGIN ${DELETES}; RETURN 1; END;
         CREATE VIEW vf AS SELECT f1() AS f`,
      ),
      'vf in it is not a table',
    ],
    [
      'by a view',
      trigger('DELETE FROM vb WHERE id = 2', '', 'CREATE VIEW vb AS SELECT * FROM b'),
      'vb in it is not a table',
    ],
    [
      'by a function with the name of one of the server',
      trigger(
        'SET @x = count (2)',
        '',
        `CREATE FUNCTION \`count\` (i INT) RETURNS INT MODIFIES SQL DATA BEGIN ${DELETES}; RETURN 1; END`,
      ),
      'not understood from "("',
    ],
    [
      'without checks of foreign keys',
      trigger('SET foreign_key_checks = 0'),
      'not understood from "foreign_key_checks"',
    ],
  ] as const)
    (OF_MARIADB.test(what) ? itOnMariadb : itOn('MariaDB'))(what, () =>
      withTarget('MariaDB', schema, LISTED, async (shop) => {
        expect(await shop.problems()).toContainEqual(expect.stringContaining(text));
        await shop.request();
        expect(await shop.run()).toMatchObject(refused('the trigger listed'));
        expect(await shop.count('b WHERE id = v')).toBe(2);
        expect(await shop.count('u')).toBe(2);
      }),
    );

  itOnMariadb('which can be accepted with a reason', () =>
    withTarget(
      'MariaDB',
      trigger('BEGIN p1; END', 'ORACLE', 'CREATE PROCEDURE p1() SET @x = 1'),
      LISTED,
      async (shop) => {
        expect(await shop.problems()).toEqual([
          expect.stringContaining('accept: { "trigger:listed": "…" }'),
        ]);
        shop.configure([...LISTED, 'accept: { "trigger:listed": "it only sets a variable" }']);
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
      },
    ),
  );
});
