// A text with many blanks in it does not keep others from being looked for.
import { expect } from 'vitest';
import { describeOnEach, itOn, tables, withTarget } from '../misled-target.ts';

const LONG = `x${' '.repeat(30_000)}x`;

describeOnEach('values with blanks around them on %s', (kind) => {
  itOn(kind)('are found beside a value with many blanks inside', () =>
    withTarget(
      kind,
      `CREATE TABLE u (id INTEGER PRIMARY KEY, email TEXT);
       INSERT INTO u VALUES (1, '${LONG}'), (2, ' \t\u3000jane@x.org\u00a0\n'), (3, ' bob@x.org')`,
      [
        'tenancy: none',
        'statement_timeout: 3s',
        tables('{ table: u, match: { email: { column: email, trim: true } } }'),
      ],
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT id FROM u ORDER BY id')).toEqual([{ id: 1 }, { id: 3 }]);
      },
    ),
  );
});
