// A row that gets another key between the preview and the erasing, and refers to itself: it is no deleted row.
import { expect } from 'vitest';
import { describeOnEach, itOn, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(100));
  CREATE TABLE posts (
    id INTEGER PRIMARY KEY, no INTEGER NOT NULL UNIQUE, user_id INTEGER, first_id INTEGER,
    FOREIGN KEY (first_id) REFERENCES posts (id) ON DELETE SET NULL
  );
  INSERT INTO users VALUES (1, 'jane@x.org');
  INSERT INTO posts VALUES (3, 6, 1, NULL)`;
const SETTINGS = [
  'tenancy: none',
  tables(
    '{ table: posts, key: [no], via: { users: { user_id: id } } }',
    '{ table: users, match: { email: email } }',
  ),
  'detach: [posts.first_id]',
];

describeOnEach('a row that has another key by now (%s)', (kind) => {
  itOn(kind)('is somebody else’s, and does not keep the request open', () =>
    withTarget(kind, SCHEMA, SETTINGS, async (shop) => {
      const request = await shop.request();
      await shop.runAfter('UPDATE posts SET no = 4, user_id = NULL, first_id = 3 WHERE id = 3');
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query('SELECT no, first_id FROM posts')).toEqual([{ no: 4, first_id: 3 }]);
    }),
  );
});
