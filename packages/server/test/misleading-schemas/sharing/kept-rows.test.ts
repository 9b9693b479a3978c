// A row that is kept because it is somebody else's too keeps what it refers to.
import { expect } from 'vitest';
import { describeOnEach, held, itOn, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(50));
  CREATE TABLE docs (id INTEGER PRIMARY KEY, owner_id INTEGER, co_owner_id INTEGER, file_id INTEGER);
  CREATE TABLE files (id INTEGER PRIMARY KEY, name VARCHAR(20));
  CREATE TABLE thumbs (id INTEGER PRIMARY KEY, file_id INTEGER);
  INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO docs VALUES (1, 1, NULL, 3), (2, 1, 2, 3), (3, 1, NULL, 4), (4, 2, NULL, 5);
  INSERT INTO files VALUES (3, 'both'), (4, 'hers'), (5, 'his');
  INSERT INTO thumbs VALUES (1, 3), (2, 4), (3, 5)`;
const plan = (shared: string) => [
  'tenancy: none',
  tables(
    '{ table: thumbs, via: { files: { file_id: id } } }',
    `{ table: files, via: { docs: { id: file_id } }${shared} }`,
    '{ table: docs, via: { users: [{ owner_id: id }, { co_owner_id: id }] }, shared: keep }',
    '{ table: users, match: { email: email } }',
  ),
];

describeOnEach('a document that is kept (%s)', (kind) => {
  itOn(kind)('keeps its file, which other documents of the person have too', () =>
    withTarget(kind, SCHEMA, plan(', shared: keep'), async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.query('SELECT id FROM docs ORDER BY id')).toEqual([{ id: 2 }, { id: 4 }]);
      expect(await shop.query('SELECT id FROM files ORDER BY id')).toEqual([{ id: 3 }, { id: 5 }]);
      expect(await shop.query('SELECT id FROM thumbs ORDER BY id')).toEqual([{ id: 1 }, { id: 3 }]);
      expect((await shop.evidenceOf(request))?.tables).toMatchObject({
        docs: { rows: 2, shared_kept: 1 },
        files: { rows: 1, shared_kept: 1 },
      });
    }),
  );

  itOn(kind)('holds a file that nothing is said of', () =>
    withTarget(kind, SCHEMA, plan(''), async (shop) => {
      await shop.request();
      expect(await shop.run()).toMatchObject(held('shared'));
      expect(await shop.count('files')).toBe(3);
    }),
  );

  itOn(kind)('is warned of where nothing lets it go when all are erased', () =>
    withTarget(kind, SCHEMA, plan(', shared: keep'), async (shop) => {
      const lines = (await shop.warnings()).filter((line) => line.includes('has kept for two'));
      expect(lines).toEqual([
        expect.stringMatching(/^docs: .*owner_id still has/),
        expect.stringMatching(/^docs: .*co_owner_id still has/),
      ]);
    }),
  );
});
