// A release is for the number that the hold has told, and for none where it has told none: not for that of a plan before.
import { expect } from 'vitest';
import { describeOnEach, held, itOn, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(60));
  CREATE TABLE messages (id INTEGER PRIMARY KEY, a INT, b INT,
    FOREIGN KEY (a) REFERENCES users (id), FOREIGN KEY (b) REFERENCES users (id));
  INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO messages VALUES (1, 1, 2), (2, 2, 1), (3, 1, NULL)`;
const USERS = '{ table: users, match: { email: email } }';
const messages = (shared: string) =>
  `{ table: messages, via: { users: [{ a: id }, { b: id }] }${shared} }`;

describeOnEach('%s', (kind) => {
  itOn(kind)('a plan that is corrected twice is released twice', () =>
    withTarget(kind, SCHEMA, ['tenancy: none', tables(USERS)], async (shop) => {
      const request = await shop.request();
      expect(await shop.run()).toMatchObject(held('unplanned_change'));
      shop.configure(['tenancy: none', tables(messages(''), USERS)]);
      await shop.release(request);
      expect(await shop.run()).toMatchObject(held('shared'));
      shop.configure(['tenancy: none', tables(messages(', shared: erase'), USERS)]);
      await shop.release(request);
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.count('messages')).toBe(0);
    }),
  );

  itOn(kind)('no "via" is advised for a reference of a table to itself', () =>
    withTarget(
      kind,
      `CREATE TABLE c (id INTEGER PRIMARY KEY, email VARCHAR(60), up INT, FOREIGN KEY (up) REFERENCES c (id))`,
      ['tenancy: none', tables('{ table: c, match: { email: email } }')],
      async (shop) => {
        const warnings = (await shop.warnings()).filter((line) => line.startsWith('detach'));
        expect(warnings).toEqual([expect.stringContaining('detach: [c.up]')]);
        expect(warnings[0]).not.toContain('"via"');
      },
    ),
  );
});
