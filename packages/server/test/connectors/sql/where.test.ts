// `where` of a table: rows outside do not exist for the entry, and one table may be listed several times.

import { describe, expect, it } from 'vitest';
import type { SqlTargetConfig, TableConfig } from '../../../src/domain/target/target.ts';
import {
  ACME,
  aSubject,
  aTable,
  email,
  GONE,
  isFound,
  passThrough,
  toOrder,
} from './sql-target.ts';
import {
  eraseWhole,
  JANE,
  JOE,
  jane,
  onEverySqlDatabase,
  previewOf,
  via,
} from './use-sql-target.ts';

const USERS = aTable('users', { match: { email: 'email' } });
const ORDERS = aTable('orders', { via: [via('users', { user_id: 'id' })] });
const OF_USERS = aTable('attachments', {
  name: 'attachments (record_type: User)',
  where: { record_type: ['User'] },
  via: [via('users', { record_id: 'id' })],
});
const OF_ORDERS = aTable('attachments', {
  name: 'attachments (record_type: Order)',
  where: { record_type: ['Order'] },
  via: [via('orders', { record_id: 'id' })],
});

await onEverySqlDatabase('where', ({ query, open, ids }) => {
  describe('on comments of guests, whose user is written as 0', () => {
    const GUESTS = aTable('comments', {
      name: 'comments (user_id: 0)',
      where: { user_id: [0] },
      match: { email: 'author' },
    });
    const MEMBERS = aTable('comments', {
      name: 'comments (user_id: not 0)',
      where: { user_id: { not: [0] } },
      match: { email: 'author' },
      via: [via('users', { user_id: 'id' })],
    });

    it('erases the comments of the person, and holds a comment that also belongs to another member', async () => {
      await query(`
        CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(200));
        CREATE TABLE comments (id INTEGER PRIMARY KEY, author VARCHAR(200), user_id INTEGER);
        INSERT INTO users VALUES (1, '${JANE}'), (2, '${JOE}');
        INSERT INTO comments VALUES (1, '${JANE}', 0), (2, '${JANE}', 1), (3, NULL, 1),
          (4, '${JOE}', 0), (5, '${JOE}', 2), (6, '${JANE}', NULL)`);
      await eraseWhole(open([GUESTS, MEMBERS, USERS]));
      expect(await ids('comments')).toEqual([4, 5]);
      await query(`INSERT INTO comments VALUES (7, '${JANE}', 2)`);
      const [preview] = await open([GUESTS, MEMBERS, USERS]).preview([jane()]);
      expect(preview).toMatchObject({ outcome: 'held', reason: 'shared' });
    });
  });

  describe('on attachments of several kinds of record that share their numbers', () => {
    const PLAN = [OF_USERS, OF_ORDERS, ORDERS, USERS];
    // Jane is user 1 and has order 2; Joe is user 2 and has order 1.
    const fill = () =>
      query(`
        CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(200));
        CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER);
        CREATE TABLE attachments (
          id INTEGER PRIMARY KEY, record_type VARCHAR(20), record_id INTEGER);
        CREATE TABLE blobs (id INTEGER PRIMARY KEY, attachment_id INTEGER);
        INSERT INTO users VALUES (1, '${JANE}'), (2, '${JOE}');
        INSERT INTO orders VALUES (2, 1), (1, 2);
        INSERT INTO attachments VALUES
          (11, 'User', 1), (12, 'User', 2), (21, 'Order', 1), (22, 'Order', 2),
          (31, 'Invoice', 1), (32, NULL, 1), (33, 'user', 1), (34, 'User ', 1), (35, 'Usér', 1);
        INSERT INTO blobs VALUES (111, 11), (112, 12), (121, 21), (122, 22), (131, 31)`);

    it('erases those of the person by each kind, and counts the entries apart', async () => {
      await fill();
      const { previews, erasures } = await eraseWhole(open(PLAN));
      const counts = {
        'attachments (record_type: User)': 1,
        'attachments (record_type: Order)': 1,
        orders: 1,
        users: 1,
      };
      expect(isFound(previews[0]).counts).toEqual(counts);
      expect(erasures).toMatchObject([{ outcome: 'erased', counts }]);
      // Also what the database takes for equal to User stays: case, blanks and accents count.
      expect(await ids('attachments')).toEqual([12, 21, 31, 32, 33, 34, 35]);
    });

    it('finds what refers to a table that is listed several times by any of its entries', async () => {
      await fill();
      const blobs = aTable('blobs', { via: [via('attachments', { attachment_id: 'id' })] });
      const { previews } = await eraseWhole(open([blobs, ...PLAN]));
      expect(isFound(previews[0]).counts).toMatchObject({ blobs: 2 });
      expect(await ids('blobs')).toEqual([112, 121, 131]);
    });

    it('treats a list as "one of", and null as NULL', async () => {
      await fill();
      const several = { ...OF_USERS, where: { record_type: ['Invoice', null, 'User'] } };
      await eraseWhole(open([several, USERS]));
      expect(await ids('attachments')).toEqual([12, 21, 22, 33, 34, 35]);
    });

    it('retains one kind and deletes the other', async () => {
      await fill();
      const kept: TableConfig = { ...OF_ORDERS, action: { kind: 'retain', reason: 'tax' } };
      const { previews } = await eraseWhole(open([OF_USERS, kept, ORDERS, USERS]));
      expect(isFound(previews[0])).toMatchObject({
        retained: { 'attachments (record_type: Order)': 1 },
      });
      expect(await ids('attachments')).toContain(22);
      expect(await ids('attachments')).not.toContain(11);
    });

    it('leaves a row that has left the entry since the preview', async () => {
      await fill();
      const connector = open([OF_USERS, USERS]);
      const { erasures, verdicts } = await passThrough(connector, [jane()], async () => {
        await query("UPDATE attachments SET record_type = 'Invoice' WHERE id = 11");
      });
      expect(erasures).toMatchObject([{ outcome: 'erased', counts: { users: 1 } }]);
      expect(verdicts).toEqual([GONE]);
      expect(await ids('attachments')).toContain(11);
    });

    it('finds a row that has come into the entry since', async () => {
      await fill();
      const connector = open([OF_USERS, USERS]);
      const order = toOrder(jane(), await previewOf(connector));
      await query("UPDATE attachments SET record_type = 'User' WHERE id = 31");
      expect(await connector.verify([order])).toMatchObject([{ outcome: 'remains' }]);
    });
  });

  describe('on a table that others refer to', () => {
    const ACTIVE = { ...USERS, where: { state: ['active'] } };
    const fill = () =>
      query(`
        CREATE TABLE users (
          id INTEGER PRIMARY KEY, email VARCHAR(200), state VARCHAR(20), account VARCHAR(20),
          household INTEGER);
        CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER);
        CREATE TABLE messages (id INTEGER PRIMARY KEY, sender INTEGER, recipient INTEGER);
        CREATE TABLE households (id INTEGER PRIMARY KEY);
        INSERT INTO users VALUES
          (1, '${JANE}', 'active', 'acme', 7), (2, '${JANE}', 'closed', 'acme', 7),
          (3, '${JOE}', 'closed', 'globex', 7), (4, '${JOE}', 'active', 'acme', 8);
        INSERT INTO households VALUES (7), (8);
        INSERT INTO orders VALUES (11, 1), (12, 2);
        INSERT INTO messages VALUES (21, 1, 1), (22, 1, 2), (23, 1, 3), (24, 2, 2)`);

    it('finds nothing by rows outside, by match or by reference', async () => {
      await fill();
      await eraseWhole(open([ORDERS, ACTIVE]));
      expect(await ids('users')).toEqual([2, 3, 4]);
      expect(await ids('orders')).toEqual([12]);
    });

    it('treats a reference to a row outside as one to somebody else', async () => {
      await fill();
      const references = [via('users', { sender: 'id' }), via('users', { recipient: 'id' })];
      const messages = (shared: TableConfig['shared']) =>
        aTable('messages', { via: references, shared });
      expect(await previewOf(open([messages('hold'), ACTIVE]))).toMatchObject({
        outcome: 'held',
        reason: 'shared',
      });
      await eraseWhole(open([messages('keep'), ACTIVE]));
      expect(await ids('messages')).toEqual([22, 23, 24]);
    });

    it('always holds a row that a row outside the entry ties to another tenant', async () => {
      await fill();
      const tenants: Partial<SqlTargetConfig> = {
        tenancy: { way: 'column', column: 'account', values: {} },
      };
      const messages = aTable('messages', {
        via: [via('users', { sender: 'id' }), via('users', { recipient: 'id' })],
        shared: 'erase',
      });
      const subject = aSubject(1, [email(JANE)], ACME);
      const connector = open([messages, ACTIVE], tenants);
      expect(await previewOf(connector, subject)).toMatchObject({
        outcome: 'held',
        reason: 'tenant_mismatch',
      });
      await query('DELETE FROM messages WHERE id = 23');
      await eraseWhole(connector, subject);
      expect(await ids('messages')).toEqual([24]);
    });

    it('shares a row with those outside', async () => {
      await fill();
      const households = aTable('households', {
        via: [via('users', { id: 'household' })],
        shared: 'keep',
      });
      await eraseWhole(open([households, ACTIVE]));
      expect(await ids('households')).toEqual([7, 8]);
    });

    it('overwrites the column that it selects rows by, and no longer finds them', async () => {
      await fill();
      const action: TableConfig['action'] = {
        kind: 'overwrite',
        columns: { email: { kind: 'null' }, state: { kind: 'value', value: 'closed' } },
      };
      const connector = open([ORDERS, { ...ACTIVE, action }]);
      await eraseWhole(connector);
      expect(await ids('orders')).toEqual([12]);
      expect(isFound(await previewOf(connector)).counts).toEqual({});
      expect(await ids("users WHERE email IS NULL AND state = 'closed'")).toEqual([1]);
    });

    it('leaves the children of a row that has left the entry', async () => {
      await fill();
      const { erasures, verdicts } = await passThrough(
        open([ORDERS, ACTIVE]),
        [jane()],
        async () => {
          await query("UPDATE users SET state = 'closed' WHERE id = 1");
        },
      );
      expect(erasures).toEqual([{ outcome: 'erased', counts: {} }]);
      expect(verdicts).toEqual([GONE]);
    });
  });

  it('holds if a foreign key would also delete rows outside', async () => {
    await query(`
      CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(200));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, state VARCHAR(20), user_id INTEGER,
        FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE);
      INSERT INTO users VALUES (1, '${JANE}');
      INSERT INTO orders VALUES (11, 'open', 1), (12, 'paid', 1)`);
    const connector = open([{ ...ORDERS, where: { state: ['open'] } }, USERS]);
    expect(await previewOf(connector)).toMatchObject({
      outcome: 'held',
      reason: 'unplanned_change',
    });
  });

  it('compares numbers, truths and NULL by value', async () => {
    await query(`
      CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(200), kind INTEGER,
        rate DECIMAL(8,2), is_real BOOLEAN, gone_at TIMESTAMP NULL);
      INSERT INTO users VALUES (1, '${JANE}', 3, 1.50, TRUE, NULL), (2, '${JANE}', 2, 1.50, TRUE, NULL),
        (3, '${JANE}', 3, 1.25, TRUE, NULL), (4, '${JANE}', 3, 1.50, FALSE, NULL),
        (5, '${JANE}', 3, 1.50, TRUE, '2026-01-01 00:00:00'), (6, '${JANE}', NULL, NULL, NULL, NULL)`);
    const where = { kind: [3], rate: [1.5], is_real: [true], gone_at: [null] };
    await eraseWhole(open([{ ...USERS, where }]));
    expect(await ids('users')).toEqual([2, 3, 4, 5, 6]);
    await eraseWhole(open([{ ...USERS, where: { kind: ['3', null], is_real: [false, null] } }]));
    expect(await ids('users')).toEqual([2, 3, 5]);
  });
});
