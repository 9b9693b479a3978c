// A table that is listed twice, and whose rows refer to each other across the entries.
import { expect } from 'vitest';
import { describeOnEach, itOn, tables, withTarget } from '../misled-target.ts';

describeOnEach('%s', (kind) => {
  for (const action of ['', 'ON DELETE SET NULL', 'ON DELETE CASCADE', 'ON DELETE RESTRICT'])
    itOn(kind)(`rows of one entry refer to rows of the other (${action || 'no action'})`, () =>
      withTarget(
        kind,
        `CREATE TABLE c (id INT PRIMARY KEY, n INT, email VARCHAR(99), up INT, FOREIGN KEY (up) REFERENCES c (id) ${action});
        INSERT INTO c VALUES (1, 1, 'jane@x.org', NULL);
        INSERT INTO c VALUES (2, 0, 'jane@x.org', 1);
        INSERT INTO c VALUES (3, 1, 'jane@x.org', 2);
        INSERT INTO c VALUES (4, 0, 'bob@x.org', NULL)`,
        [
          'tenancy: none',
          tables(
            '{ table: c, where: { n: 1 }, match: { email: email } }',
            '{ table: c, where: { n: 0 }, match: { email: email } }',
          ),
        ],
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.count('c')).toBe(1);
          expect((await shop.evidenceOf(request))?.tables).toMatchObject({
            'c (n: 1)': { rows: 2 },
            'c (n: 0)': { rows: 1 },
          });
        },
      ),
    );
});
