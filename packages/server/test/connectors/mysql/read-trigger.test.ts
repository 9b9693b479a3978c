import { describe, expect, it } from 'vitest';
import { readTrigger } from '../../../src/connectors/mysql/read-trigger.ts';

const read = (text: string, mode = '') => {
  const { writes, calls } = readTrigger(text, mode, new Set(['tidy_up']));
  const written = writes.map(({ schema, table, event }) =>
    [event, schema === null ? table : `${schema}.${table}`].join(' '),
  );
  return [...written, ...calls.map((name) => `call ${name}`)];
};

describe('the text of a trigger', () => {
  it.each([
    ['SET NEW.changed = now()', []],
    ["SET @a = REPLACE(NEW.name, 'UPDATE x SET', INSERT('a', 1, 1, 'b'))", []],
    ['SET @n = (SELECT n FROM stats WHERE id = 1 FOR UPDATE)', []],
    ['INSERT INTO log VALUES (OLD.id)', ['insert log']],
    ['insert ignore `the log` (a) select id from customers', ['insert the log']],
    ['BEGIN REPLACE stats SET n = 1; END', ['insert stats', 'delete stats']],
    [
      'INSERT INTO s.log SET n = 1 ON DUPLICATE KEY UPDATE n = n + 1',
      ['insert s.log', 'update s.log'],
    ],
    ['UPDATE stats SET n = n - 1, m = (SELECT 1 FROM other)', ['update stats']],
    [
      'UPDATE LOW_PRIORITY a JOIN b AS x ON a.id = x.id, c SET a.n = 1',
      ['update a', 'update b', 'update c'],
    ],
    ['DELETE FROM log WHERE id = OLD.id', ['delete log']],
    [
      'DELETE x FROM orders x JOIN (SELECT id FROM people) p ON p.id = x.id',
      ['delete orders', 'delete people'],
    ],
    ['DELETE FROM a USING a JOIN b WHERE a.id = b.id', ['delete a', 'delete a', 'delete b']],
    [
      'BEGIN -- DELETE FROM a\n # UPDATE b SET c\n /* INSERT INTO d */ DELETE FROM e; END',
      ['delete e'],
    ],
    ['BEGIN /*!50000 DELETE FROM e */; END', ['delete e']],
    [
      'IF OLD.n > 0 THEN CALL clean(OLD.id); ELSE UPDATE t SET a = "UPDATE u SET"; END IF',
      ['update t', 'call clean'],
    ],
    ['SET @a = tidy_up(OLD.id), @b = lower(OLD.name)', ['call tidy_up']],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('has names in double quotes where the server takes them for names', () => {
    expect(read('DELETE FROM "log"', 'ANSI_QUOTES,STRICT_ALL_TABLES')).toEqual(['delete log']);
  });
});
