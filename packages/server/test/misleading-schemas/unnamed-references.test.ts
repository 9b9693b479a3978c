// Rows without a unique key whose references may be detached: their own go with them, and are not detached first.
import { expect } from 'vitest';
import { describeOnEach, itOn, tables, withTarget } from './misled-target.ts';

const schemaOf = (onDelete: string) => `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(100));
  CREATE TABLE visits (kind INTEGER, user_id INTEGER, FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE ${onDelete});
  INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO visits VALUES (0, 1), (0, 1), (1, 1), (0, 2), (1, 2)`;
const SETTINGS = [
  'tenancy: none',
  tables(
    '{ table: visits, where: { kind: 0 }, via: { users: { user_id: id } } }',
    '{ table: users, match: { email: email } }',
  ),
  'detach: [visits.user_id]',
];

describeOnEach('rows without a key that refer to deleted rows (%s)', (kind) => {
  for (const onDelete of ['NO ACTION', 'SET NULL'])
    itOn(kind)(`are deleted, and others are detached, with ON DELETE ${onDelete}`, () =>
      withTarget(kind, schemaOf(onDelete), SETTINGS, async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.evidenceOf(request)).toMatchObject({
          tables: { visits: { action: 'delete', rows: 2, detached: 1 }, users: { rows: 1 } },
        });
        expect(await shop.query('SELECT kind, user_id FROM visits ORDER BY kind, user_id')).toEqual(
          expect.arrayContaining([
            { kind: 0, user_id: 2 },
            { kind: 1, user_id: null },
            { kind: 1, user_id: 2 },
          ]),
        );
        expect(await shop.count('visits')).toBe(3);
      }),
    );
});
