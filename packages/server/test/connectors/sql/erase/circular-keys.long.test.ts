// Tables that refer to each other: whichever is listed first, the person's rows go, and nobody else's do.
import { expect, it } from 'vitest';
import { TargetDown } from '../../../../src/domain/target/connector.ts';
import { aTable, GONE, passThrough, tablesWork } from '../sql-target.ts';
import { JANE, JOE, jane, onEverySqlDatabase, previewOf, via } from '../use-sql-target.ts';

const USERS = aTable('users', { match: { email: 'email' } });
const ADDRESSES = aTable('addresses', { via: [via('users', { user_id: 'id' })] });
const ORDERS = [
  ['the users first', [USERS, ADDRESSES]],
  ['the addresses first', [ADDRESSES, USERS]],
] as const;
const KEYS = [
  ['', ''],
  ['', 'ON DELETE CASCADE'],
  ['ON DELETE SET NULL', ''],
  ['ON DELETE SET NULL', 'ON DELETE CASCADE'],
  ['ON DELETE CASCADE', 'ON DELETE CASCADE'],
  ['ON DELETE RESTRICT', 'ON DELETE RESTRICT'],
] as const;

await onEverySqlDatabase('tables that refer to each other', (target) => {
  const { query, open, ids, connector } = target;

  async function fill(toAddress: string, toUser: string, nullable = ''): Promise<void> {
    const isLater = connector !== 'sqlite';
    const key = `FOREIGN KEY (default_address) REFERENCES addresses (id) ${toAddress}`;
    await query(`
      CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(200), default_address INTEGER ${nullable}
        ${isLater ? '' : `, ${key}`});
      CREATE TABLE addresses (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL,
        FOREIGN KEY (user_id) REFERENCES users (id) ${toUser})
      ${isLater ? `; ALTER TABLE users ADD CONSTRAINT at_home ${key}` : ''}`);
  }

  const rows = () =>
    query(`
      INSERT INTO users VALUES (1, '${JANE}', NULL), (2, '${JOE}', NULL), (3, '${JANE}', NULL);
      INSERT INTO addresses VALUES (11, 1), (12, 1), (21, 2), (31, 3);
      UPDATE users SET default_address = 11 WHERE id = 1;
      UPDATE users SET default_address = 21 WHERE id = 2`);

  it.each(
    ORDERS.flatMap(([order, tables]) => KEYS.map((keys) => [order, tables, ...keys] as const)),
  )('are erased: %s, %#', async (_, tables, toAddress, toUser) => {
    await fill(toAddress, toUser);
    await rows();
    const { erasures, verdicts } = await passThrough(open(tables), [jane()]);
    expect(erasures).toEqual([{ outcome: 'erased', counts: { users: 2, addresses: 3 } }]);
    expect(verdicts).toEqual([GONE]);
    expect(await ids('users')).toEqual([2]);
    expect(await ids('addresses')).toEqual([21]);
  });

  it.each(ORDERS)('are held if another person lives there too: %s', async (_, tables) => {
    await fill('ON DELETE SET NULL', 'ON DELETE CASCADE');
    await rows();
    await query('UPDATE users SET default_address = 12 WHERE id = 2');
    expect(await previewOf(open(tables))).toMatchObject({
      reason: 'unplanned_change',
      detail: expect.stringContaining('detach: [users.default_address]'),
    });
    const work = tablesWork(tables, { detach: [{ table: 'users', column: 'default_address' }] });
    const { erasures } = await passThrough(open(tables, { work }), [jane()]);
    expect(erasures).toMatchObject([{ outcome: 'erased', detached: { users: 1 } }]);
    expect(await query('SELECT default_address FROM users')).toEqual([{ default_address: null }]);
  });

  it('are refused, with the way out, if neither can go first', async () => {
    await fill('ON DELETE RESTRICT', 'ON DELETE RESTRICT', 'NOT NULL');
    const answer = await open([ADDRESSES, USERS])
      .preview([jane()])
      .catch((error: unknown) => error);
    expect(answer).toBeInstanceOf(TargetDown);
    expect(String(answer)).toContain('let one of the columns be NULL');
  });
});

await onEverySqlDatabase(
  'tables that refer to each other by keys that can be checked later',
  ({ query, open, ids, connector }) => {
    it.each(ORDERS)('are erased without any NULL: %s', async (_, tables) => {
      await query(`
        CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(200), default_address INTEGER NOT NULL
          ${connector === 'sqlite' ? 'REFERENCES addresses (id) DEFERRABLE INITIALLY DEFERRED' : ''});
        CREATE TABLE addresses (id INTEGER PRIMARY KEY,
          user_id INTEGER NOT NULL REFERENCES users (id) DEFERRABLE INITIALLY DEFERRED);
        ${connector === 'sqlite' ? '' : 'ALTER TABLE users ADD FOREIGN KEY (default_address) REFERENCES addresses (id) DEFERRABLE;'}
        BEGIN;
        ${connector === 'sqlite' ? '' : 'SET CONSTRAINTS ALL DEFERRED;'}
        INSERT INTO users VALUES (1, '${JANE}', 11), (2, '${JOE}', 21);
        INSERT INTO addresses VALUES (11, 1), (12, 1), (21, 2);
        COMMIT`);
      const { erasures, verdicts } = await passThrough(open(tables), [jane()]);
      expect(erasures).toEqual([{ outcome: 'erased', counts: { users: 1, addresses: 2 } }]);
      expect(verdicts).toEqual([GONE]);
      expect(await ids('users')).toEqual([2]);
    });
  },
  ['sqlite', 'postgres'],
);
