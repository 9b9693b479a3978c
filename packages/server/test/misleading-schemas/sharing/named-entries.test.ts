// A reference to one entry of a table that is listed several times.
import { expect } from 'vitest';
import { describeOnEach, held, itOn, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(50));
  CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER);
  CREATE TABLE att (id INTEGER PRIMARY KEY, kind VARCHAR(9), record_id INTEGER, blob_id INTEGER);
  CREATE TABLE copies (id INTEGER PRIMARY KEY, blob_id INTEGER);
  CREATE TABLE blobs (id INTEGER PRIMARY KEY, name VARCHAR(9));
  INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'joe@x.org');
  INSERT INTO posts VALUES (1, 1), (2, 2);
  INSERT INTO blobs VALUES (1, 'hers'), (2, 'his'), (3, 'copy'), (4, 'post');
  INSERT INTO copies VALUES (1, 1), (2, 2);
  INSERT INTO att VALUES (1, 'User', 1, 1), (2, 'User', 2, 2), (3, 'Copy', 1, 3), (4, 'Post', 1, 4)`;
const ENTRIES = [
  '{ table: att, where: { kind: User }, via: { users: { record_id: id } } }',
  '{ table: att, where: { kind: Post }, via: { posts: { record_id: id } } }',
  '{ table: att, where: { kind: Copy }, via: { copies: { record_id: id } } }',
  '{ table: copies, via: { blobs: { blob_id: id } } }',
];
const PEOPLE = [
  '{ table: posts, via: { users: { user_id: id } } }',
  '{ table: users, match: { email: email } }',
];
const plan = (blobs: string) => ['tenancy: none', tables(...ENTRIES, blobs, ...PEOPLE)];
const BLOBS = '{ table: blobs, via: { "att (kind: User)": { id: blob_id } } }';

describeOnEach('one entry of a table (%s)', (kind) => {
  itOn(kind)('leads to its rows and to no others', () =>
    withTarget(kind, SCHEMA, plan(BLOBS), async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.statusOf(request)).toBe('completed');
      // The post's file is not reached by the entry for users.
      expect(await shop.query('SELECT name FROM blobs ORDER BY id')).toEqual([
        { name: 'his' },
        { name: 'copy' },
        { name: 'post' },
      ]);
      expect([await shop.count('att'), await shop.count('copies')]).toEqual([1, 1]);
    }),
  );

  itOn(kind)('can be named beside others, which are one reference then', () =>
    withTarget(
      kind,
      SCHEMA,
      plan(
        '{ table: blobs, via: { "att (kind: User)": { id: blob_id }, "att (kind: Post)": { id: blob_id } } }',
      ),
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        await shop.request();
        expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
        expect(await shop.query('SELECT name FROM blobs ORDER BY id')).toEqual([
          { name: 'his' },
          { name: 'copy' },
        ]);
      },
    ),
  );

  itOn(kind)('does not hide whom a row of another entry ties it to', () =>
    withTarget(kind, SCHEMA, plan(BLOBS), async (shop) => {
      await shop.query("INSERT INTO att VALUES (5, 'Post', 2, 1)");
      await shop.request();
      expect(await shop.run()).toMatchObject(held('shared'));
      await shop.query('DELETE FROM att WHERE id = 5');
      // Her own post, with the same file.
      await shop.query("INSERT INTO att VALUES (6, 'Post', 1, 1)");
      await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.count('blobs')).toBe(3);
    }),
  );

  itOn(kind)('ends in documents that refer to each other in a circle', () =>
    withTarget(kind, SCHEMA, plan(BLOBS), async (shop) => {
      await shop.query("INSERT INTO att VALUES (7, 'Copy', 1, 1)");
      await shop.request();
      expect(await shop.run()).toMatchObject(held('shared'));
    }),
  );
});
