// MariaDB tells only how many rows were changed in all: however a listed trigger changes rows of others, it is noticed.
import { describe, expect } from 'vitest';
import { held, itOn, itOnMariadb, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE u (id INT PRIMARY KEY, email VARCHAR(50));
  CREATE TABLE b (id INT PRIMARY KEY, v INT);
  CREATE TABLE c (b_id INT PRIMARY KEY, FOREIGN KEY (b_id) REFERENCES b (id) ON DELETE CASCADE);
  INSERT INTO u VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO b VALUES (1, 1), (2, 2); INSERT INTO c VALUES (2)`;
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

describe('a listed trigger on MariaDB changes rows of a table that the target does not name', () => {
  for (const [what, schema] of [
    ['in brackets', trigger('UPDATE (b) SET v = 9 WHERE id = 2')],
    [
      'behind settings of the statement',
      trigger('SET STATEMENT max_statement_time = 10 FOR UPDATE b SET v = 9 WHERE id = 2'),
    ],
    [
      'by a procedure in the words of another database',
      trigger('BEGIN p1; END', 'ORACLE', `CREATE PROCEDURE p1() ${DELETES}`),
    ],
    [
      'by a view that calls a function',
      trigger(
        'BEGIN DECLARE x INT; SELECT f INTO x FROM vf; END',
        '',
        `CREATE FUNCTION f1() RETURNS INT MODIFIES SQL DATA BEGIN ${DELETES}; RETURN 1; END;
         CREATE VIEW vf AS SELECT f1() AS f`,
      ),
    ],
    ['by a view', trigger('DELETE FROM vb WHERE id = 2', '', 'CREATE VIEW vb AS SELECT * FROM b')],
    ['by replacing', trigger('REPLACE INTO b VALUES (2, 9)')],
    [
      'where the row is there',
      trigger('INSERT INTO b VALUES (2, 9) ON DUPLICATE KEY UPDATE v = 9'),
    ],
    [
      'beside inserts that fail',
      trigger(`BEGIN INSERT IGNORE INTO b VALUES (1, 7), (2, 7), (3, 7); ${DELETES}; END`),
    ],
    [
      'without checks of foreign keys',
      trigger(`BEGIN SET foreign_key_checks = 0; ${DELETES}; END`),
    ],
  ] as const)
    (OF_MARIADB.test(what) ? itOnMariadb : itOn('MariaDB'))(what, () =>
      withTarget('MariaDB', schema, LISTED, async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
        expect(await shop.count('b WHERE id = v')).toBe(2);
        expect(await shop.count('u')).toBe(2);
        expect(await shop.count('c')).toBe(1);
      }),
    );
});
