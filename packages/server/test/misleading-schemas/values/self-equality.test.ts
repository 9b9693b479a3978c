// Rows that refer to rows of their own table by a foreign key between columns that differ in type or collation.
import { describe, expect } from 'vitest';
import { itOn, tables, withTarget } from '../misled-target.ts';

const PAIRS = [
  ['SQLite', 'INTEGER', 'TEXT', ['1', '2', '3'], ["'01'", "' 2'"]],
  ['SQLite', 'TEXT COLLATE nocase', 'TEXT', ["'a'", "'b'", "'c'"], ["'A'", "'B'"]],
  ['PostgreSQL', 'char(5)', 'varchar', ["'a'", "'b'", "'c'"], ["'a '", "'b  '"]],
  ['PostgreSQL', 'numeric', 'int', ['1.0', '2.00', '3'], ['1', '2']],
  [
    'PostgreSQL',
    'timestamp',
    'date',
    ["'2020-01-01'", "'2020-01-02'", "'2020-01-03'"],
    ["'2020-01-01'", "'2020-01-02'"],
  ],
  [
    'MariaDB',
    'CHAR(5) COLLATE utf8mb4_general_ci',
    'VARCHAR(9) COLLATE utf8mb4_general_ci',
    ["'a'", "'b'", "'c'"],
    ["'A '", "'B'"],
  ],
] as const;

describe.each(PAIRS)('%s, %s and %s', (kind, parent, child, [a, b, c], [toA, toB]) => {
  for (const action of ['', 'ON DELETE SET NULL', 'ON DELETE CASCADE', 'ON DELETE RESTRICT'])
    itOn(kind)(`go with all that refer to them (${action || 'no action'})`, () =>
      withTarget(
        kind,
        `CREATE TABLE t (id ${parent} PRIMARY KEY, up ${child}, email VARCHAR(99), FOREIGN KEY (up) REFERENCES t (id) ${action});
        INSERT INTO t VALUES (${a}, NULL, 'jane@x.org');
        INSERT INTO t VALUES (${b}, ${toA}, 'jane@x.org');
        INSERT INTO t VALUES (${c}, ${toB}, 'jane@x.org')`,
        ['tenancy: none', tables('{ table: t, match: { email: email } }')],
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect((await shop.evidenceOf(request))?.tables?.t?.rows).toBe(3);
        },
      ),
    );
});
