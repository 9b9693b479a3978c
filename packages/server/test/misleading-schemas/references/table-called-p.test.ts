// A table whose name a statement could take for a name of its own.
import { expect } from 'vitest';
import { itOn, tables, withTarget } from '../misled-target.ts';

itOn('SQLite').each(['p', 'c', 'm', 'unwrite'])(
  'a row that only the person refers to is theirs, also from a table called %s',
  (name) =>
    withTarget(
      'SQLite',
      `CREATE TABLE h (code TEXT COLLATE NOCASE PRIMARY KEY);
       CREATE TABLE ${name} (id INTEGER PRIMARY KEY, email TEXT, code TEXT COLLATE NOCASE REFERENCES h (code));
       INSERT INTO h VALUES ('H1'), ('H2');
       INSERT INTO ${name} VALUES (1, 'jane@x.org', 'h1'), (2, 'jane@x.org', 'H2'), (3, 'bob@x.org', 'h2')`,
      [
        'tenancy: none',
        tables(
          `{ table: ${name}, match: { email: email } }`,
          `{ table: h, via: { ${name}: { code: code } }, shared: keep }`,
        ),
      ],
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT code FROM h')).toEqual([{ code: 'H2' }]);
      },
    ),
);
