import { describe, expect, it } from 'vitest';
import { readTrigger } from '../../../../src/connectors/mysql/trigger/read-trigger.ts';

const head = 'CREATE DEFINER=`for`@`each` TRIGGER `t 1` AFTER DELETE ON customers FOR EACH ROW ';
const read = (body: string, sqlMode = '', characterSet = 'utf8mb4') =>
  readTrigger({ text: head + body, sqlMode, characterSet });

const told = (body: string, sqlMode = '') => {
  const { writes, sets, reads, calls, unread } = read(body, sqlMode);
  const named = ({ schema, table }: { schema: string | null; table: string }) =>
    schema === null ? table : `${schema}.${table}`;
  return [
    ...writes.map((one) => [one.event, named(one), ...one.columns].join(' ')),
    ...sets.map((column) => `set ${column}`),
    ...reads.map((one) => `read ${named(one)}`),
    ...calls.map((name) => `call ${name}`),
    ...(unread === null ? [] : ['unread']),
  ];
};

describe('the text of a trigger is understood', () => {
  it.each([
    ['SET NEW.changed = now()', ['set changed']],
    ["SET @a = REPLACE(NEW.name, 'UPDATE x SET', INSERT('a', 1, 1, 'b'))", []],
    ['SET @n = (SELECT n FROM stats WHERE id = 1 FOR UPDATE)', ['read stats']],
    ['INSERT INTO log VALUES (OLD.id)', ['insert log']],
    ["INSERT INTO log (a, `b`) VALUE (OLD.id, 'it''s'), (DEFAULT, -1.5e3)", ['insert log']],
    [
      'insert ignore `the log` (a) select id from customers c where c.id <> OLD.id',
      ['insert the log', 'read customers'],
    ],
    ['BEGIN REPLACE stats SET n = 1; END', ['insert stats', 'delete stats']],
    [
      'INSERT INTO s.log SET n = 1 ON DUPLICATE KEY UPDATE n = n + 1, m = VALUES(m)',
      ['insert s.log', 'update s.log n m'],
    ],
    ['UPDATE stats SET n = n - 1, m = (SELECT 1 FROM other)', ['update stats n m', 'read other']],
    [
      'UPDATE LOW_PRIORITY a JOIN b AS x ON a.id = x.id, c SET a.n = 1',
      ['update a n', 'update b n', 'update c n'],
    ],
    ['UPDATE (b) SET v = 9 WHERE id = 2', ['update b v']],
    ['UPDATE (b JOIN u ON u.id = b.id) SET b.v = 9', ['update b v', 'update u v']],
    ['DELETE FROM log WHERE id = OLD.id ORDER BY id DESC LIMIT 1', ['delete log']],
    [
      'DELETE x FROM orders x JOIN (SELECT id FROM people) p ON p.id = x.id',
      ['delete orders', 'read people'],
    ],
    ['DELETE FROM a USING a JOIN b WHERE a.id = b.id', ['delete a', 'delete b']],
    [
      'BEGIN -- DELETE FROM a\n # UPDATE b SET c\n /* INSERT INTO d */ DELETE FROM e; END',
      ['delete e'],
    ],
    [
      'IF OLD.n > 0 THEN CALL clean(OLD.id); ELSE UPDATE t SET a = "UPDATE u SET"; END IF',
      ['update t a', 'call clean'],
    ],
    ['SET @a = tidy_up(OLD.id), @b = lower(OLD.name)', ['call tidy_up']],
    [
      `BEGIN
        DECLARE n, m INT UNSIGNED DEFAULT 0;
        SELECT count(*), max(o.id) INTO n, @last FROM orders o LEFT JOIN lines USING (id)
          WHERE o.customer_id = OLD.id AND o.state NOT IN ('a', 'b') GROUP BY o.customer_id HAVING n > 1;
        CASE WHEN n > 1 THEN SET m = n; SET @x := CASE n WHEN 1 THEN 2 ELSE 3 END; ELSE SET m = 1; END CASE;
        IF NOT EXISTS (SELECT 1 FROM kept WHERE id = OLD.id) AND OLD.at BETWEEN now() - INTERVAL 1 DAY AND now() THEN
          SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'kept';
        ELSEIF OLD.name IS NOT NULL OR CAST(OLD.id AS CHAR(10)) LIKE 'a%' THEN SET n = 1;
        END IF;
      END`,
      ['read orders', 'read lines', 'read kept'],
    ],
  ])('%s', (text, expected) => {
    expect(told(text)).toEqual(expected);
  });

  it('names in double quotes are understood if the server treats them as names', () => {
    expect(told('DELETE FROM "log"', 'ANSI_QUOTES,STRICT_ALL_TABLES')).toEqual(['delete log']);
  });

  it("backslashes are understood as in the trigger's mode", () => {
    const text = "BEGIN SET @x = '\\'; DELETE FROM b; SET @y = 'z'; END";
    expect(told(text, 'NO_BACKSLASH_ESCAPES')).toEqual(['delete b']);
    expect(told(text)).toEqual(['unread']);
  });

  it('a trigger with another trigger before it is understood', () => {
    expect(told('FOLLOWS `other` DELETE FROM b')).toEqual(['delete b']);
  });
});

describe('the text of a trigger is not understood', () => {
  it.each([
    'SET STATEMENT max_statement_time = 10 FOR UPDATE b SET v = 9',
    'BEGIN p1; END',
    'SET foreign_key_checks = 0',
    'SET @x = 1, sql_log_bin = 0',
    'SET @@foreign_key_checks = 0',
    'SET SESSION foreign_key_checks = 0',
    'BEGIN BEGIN DECLARE foreign_key_checks INT; END; SET foreign_key_checks = 0; END',
    'BEGIN DECLARE foreign_\u212aey_checks INT; SET foreign_key_checks = 0; END',
    'SET @x = lower (OLD.name)',
    'SET @x = count/**/(OLD.name)',
    'SET @x = `lower`(OLD.name)',
    'SET @x = shop.lower(OLD.name)',
    'SET @x = NEXT VALUE FOR numbers',
    "SET @x = _latin1'a'",
    "SET @x = 'a' 'b'",
    'BEGIN /*!50000 DELETE FROM e */; END',
    'DELETE /*+ SET_VAR(foreign_key_checks=0) */ FROM b',
    'BEGIN /*M! DELETE FROM e */; END',
    'DELETE FROM b FOR PORTION OF p FROM 1 TO 2',
    'DELETE FROM b RETURNING id',
    "SELECT * FROM b INTO OUTFILE '/tmp/b'",
    "SELECT id INTO DUMPFILE '/tmp/b' FROM b",
    'SELECT id INTO sql_log_bin FROM b',
    'SELECT a FROM json_table(OLD.j, 1) t INTO @x',
    'INSERT INTO b WITH q AS (SELECT 1) SELECT * FROM q',
    'BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; DELETE FROM b; END',
    'one: LOOP LEAVE one; END LOOP',
    'DELETE FROM b; DELETE FROM c',
    '\u017fET @x = 1',
    'SET @x = 1 --\u00a0; DELETE FROM b',
    'SET @x = 1abc',
    'SET @x = [b]',
    'BEGIN SET @x = \\N; END',
    "BEGIN SET @x = 'a; END",
    `SET @x = ${'('.repeat(50_000)}1`,
    '',
  ])('%s', (text) => {
    expect(read(text).unread).not.toBeNull();
  });

  it.each(['ORACLE', 'MSSQL', 'STRICT_ALL_TABLES,POSTGRESQL'])(
    'a text in the mode %s is not understood',
    (mode) => {
      expect(read('SET @x = 1', mode).unread).toContain('SQL mode');
    },
  );

  it('a text from a client whose characters may contain quotes is not understood', () => {
    expect(read('SET @x = 1', '', 'sjis').unread).toContain('character set sjis');
  });
});
