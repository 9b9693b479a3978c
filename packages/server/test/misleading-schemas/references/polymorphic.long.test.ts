// Rows of several kinds of record in one table, from the written configuration to the evidence.
import { describe, expect, it } from 'vitest';
import { itOn, KINDS, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(100));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER);
  CREATE TABLE attachments (id INTEGER PRIMARY KEY, record_type VARCHAR(20), record_id INTEGER);
  INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO orders VALUES (2, 1), (1, 2);
  INSERT INTO attachments VALUES (11, 'User', 1), (12, 'User', 2), (21, 'Order', 1), (22, 'Order', 2)`;

const PLAN = [
  'tenancy: none',
  tables(
    '{ table: attachments, where: { record_type: User }, via: { users: { record_id: id } } }',
    '{ table: attachments, where: { record_type: Order }, via: { orders: { record_id: id } }, action: { retain: tax } }',
    '{ table: orders, via: { users: { user_id: id } }, action: { retain: tax } }',
    '{ table: users, match: { email: { column: email, trim: true } } }',
  ),
];

const RETAINED = {
  'attachments (record_type: Order)': { action: 'retain', rows: 1, reason: 'tax' },
  orders: { action: 'retain', rows: 1, reason: 'tax' },
};

describe('attachments of users and of orders', () => {
  for (const kind of KINDS) {
    itOn(kind)(`are each on record by the name of its entry (${kind})`, () =>
      withTarget(kind, SCHEMA, PLAN, async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        const evidence = await shop.evidenceOf(request);
        expect(evidence?.tables).toEqual({
          ...RETAINED,
          'attachments (record_type: User)': { action: 'delete', rows: 1 },
          users: { action: 'delete', rows: 1 },
        });
        expect(await shop.count('attachments')).toBe(3);
        expect(await shop.count('attachments WHERE id = 11')).toBe(0);
      }),
    );

    itOn(kind)(`are claimed once after the worker died (${kind})`, () =>
      withTarget(kind, SCHEMA, PLAN, async (shop) => {
        const request = await shop.request();
        await shop.dieAfterErasing();
        await shop.run();
        const evidence = await shop.evidenceOf(request);
        expect(evidence?.tables).toMatchObject({
          'attachments (record_type: User)': { action: 'delete', rows: 1 },
          users: { action: 'delete', rows: 1 },
        });
      }),
    );
  }

  it('stay if they became another kind’s before', () =>
    withTarget('SQLite', SCHEMA, PLAN, async (shop) => {
      const request = await shop.request();
      await shop.runAfter("UPDATE attachments SET record_type = 'Invoice' WHERE id = 11");
      const evidence = await shop.evidenceOf(request);
      expect(evidence?.tables).not.toHaveProperty(['attachments (record_type: User)']);
      expect(await shop.count('attachments')).toBe(4);
    }));
});
