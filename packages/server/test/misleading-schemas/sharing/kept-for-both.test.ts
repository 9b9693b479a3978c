// A row of two people who are erased in one batch is deleted with the second of them, if it loses its reference to the first.
import { expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { describeOnEach, itOn, JANE, tables, withTarget } from '../misled-target.ts';

const schema = (onDelete: string) => `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(50));
  CREATE TABLE messages (id INTEGER PRIMARY KEY, sender_id INTEGER, recipient_id INTEGER,
    FOREIGN KEY (sender_id) REFERENCES users (id)${onDelete},
    FOREIGN KEY (recipient_id) REFERENCES users (id)${onDelete});
  INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'carl@x.org'), (3, 'joe@x.org');
  INSERT INTO messages VALUES (1, 1, 2), (2, 2, 1), (3, 1, 3), (4, 3, 2), (5, 3, NULL)`;
const PLAN = [
  'tenancy: none',
  tables(
    '{ table: messages, via: { users: [{ sender_id: id }, { recipient_id: id }] }, shared: keep }',
    '{ table: users, match: { email: email } }',
  ),
  'detach: [messages.sender_id, messages.recipient_id]',
];

describeOnEach('messages between two people of one batch (%s)', (kind) => {
  itOn(kind).each(['', ' ON DELETE SET NULL'])('go with the second of them%s', (onDelete) =>
    withTarget(kind, schema(onDelete), PLAN, async (shop) => {
      const jane = await shop.request(JANE);
      const carl = await shop.request([new Identity('email', 'carl@x.org')]);
      await shop.run();
      for (const request of [jane, carl]) expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query('SELECT * FROM messages ORDER BY id')).toEqual([
        { id: 3, sender_id: null, recipient_id: 3 },
        { id: 4, sender_id: 3, recipient_id: null },
        { id: 5, sender_id: 3, recipient_id: null },
      ]);
      expect((await shop.evidenceOf(carl))?.tables?.messages).toMatchObject({ rows: 2 });
    }),
  );
});

describeOnEach('a friendship of two people of one batch (%s)', (kind) => {
  itOn(kind)('goes with the second of them if the first is held', () =>
    withTarget(
      kind,
      `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(50));
       CREATE TABLE friends (a_id INTEGER NOT NULL, b_id INTEGER NOT NULL, PRIMARY KEY (a_id, b_id),
         FOREIGN KEY (a_id) REFERENCES users (id), FOREIGN KEY (b_id) REFERENCES users (id));
       CREATE TABLE loans (id INTEGER PRIMARY KEY, user_id INTEGER,
         FOREIGN KEY (user_id) REFERENCES users (id));
       INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'carl@x.org');
       INSERT INTO friends VALUES (1, 2);
       INSERT INTO loans VALUES (1, 1)`,
      [
        'tenancy: none',
        tables(
          '{ table: friends, via: { users: [{ a_id: id }, { b_id: id }] }, shared: erase }',
          '{ table: users, match: { email: email } }',
        ),
      ],
      async (shop) => {
        const jane = await shop.request(JANE);
        const carl = await shop.request([new Identity('email', 'carl@x.org')]);
        await shop.run();
        expect(await shop.statusOf(carl)).toBe('completed');
        expect(await shop.statusOf(jane)).not.toBe('completed');
        expect(await shop.query('SELECT id FROM users')).toEqual([{ id: 1 }]);
        expect(await shop.count('friends')).toBe(0);
      },
    ),
  );
});
