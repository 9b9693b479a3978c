// A value that is unique in each tenant, and that another tenant writes in capitals: it is no doubt about ours.
import { expect } from 'vitest';
import { describeOnEach, itOn, tables, withTarget } from '../misled-target.ts';

describeOnEach("another tenant's spelling (%s)", (kind) => {
  const text = kind === 'SQLite' ? 'VARCHAR(50) COLLATE NOCASE' : 'VARCHAR(50)';

  itOn(kind)('does not hold any request', () =>
    withTarget(
      kind,
      `CREATE TABLE people (id INTEGER PRIMARY KEY, t VARCHAR(9), email ${text}, UNIQUE (t, email));
      CREATE TABLE items (id INTEGER PRIMARY KEY, t VARCHAR(9), people_email ${text});
      INSERT INTO people VALUES (1, 'acme', 'jane@x.org'), (2, 'globex', 'JANE@X.ORG');
      INSERT INTO items VALUES (1, 'acme', 'jane@x.org'), (2, 'globex', 'JANE@X.ORG')`,
      [
        'tenant_column: t',
        tables(
          '{ table: items, via: { people: { people_email: email } } }',
          '{ table: people, match: { email: email } }',
        ),
      ],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT id FROM items')).toEqual([{ id: 2 }]);
        expect(await shop.query('SELECT id FROM people')).toEqual([{ id: 2 }]);
      },
    ),
  );
});
