// Names of members that a database reads otherwise in a path than they are written.
import { expect } from 'vitest';
import { describeOnEach, held, itOn, tables, withTarget } from '../misled-target.ts';

const NAMES = ['-x', '-1', '--', '-', 'e-mail', 'last', '*', 'to', '1'];

describeOnEach('a JSON path on %s', (kind) => {
  const type = { SQLite: 'TEXT', PostgreSQL: 'jsonb', MariaDB: 'JSON' }[kind];
  for (const name of NAMES)
    itOn(kind)(`finds the member ${name}, and what is in it`, () =>
      withTarget(
        kind,
        `CREATE TABLE u (id INTEGER PRIMARY KEY, d ${type});
         INSERT INTO u VALUES (1, '{"${name}": "jane@x.org"}'), (2, '{"${name}": "bob@x.org"}'),
           (3, '{"a": {"${name}": ["jane@x.org"]}}'), (4, '{"a": {"${name}": ["bob@x.org"]}}')`,
        [
          'tenancy: none',
          tables(
            `{ table: u, match: { email: [{ column: d, path: '$["${name}"]' }, { column: d, path: '$.a["${name}"][0]' }] } }`,
          ),
        ],
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.query('SELECT id FROM u ORDER BY id')).toEqual([{ id: 2 }, { id: 4 }]);
        },
      ),
    );
});

itOn('SQLite').each(['value', 'json', 'key', 'type', 'path', 'root', 'atom', 'fullkey', 'parent'])(
  'a document with a name twice is held, also in a column called %s',
  (name) =>
    withTarget(
      'SQLite',
      `CREATE TABLE u (id INTEGER PRIMARY KEY, "${name}" TEXT);
       INSERT INTO u VALUES (1, '{"email":"bob@x.org","email":"jane@x.org"}')`,
      [
        'tenancy: none',
        tables(`{ table: u, match: { email: { column: "${name}", path: "$.email" } } }`),
      ],
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
      },
    ),
);
