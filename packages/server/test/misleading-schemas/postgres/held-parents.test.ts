// Rows that say whose others are, and stay as they are themselves: PostgreSQL holds them until the end, or somebody
// else's transaction could give one away in between. Not on SQLite, whose file is locked by then; MariaDB locks them.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { TableAction } from '../../../src/domain/target/target.ts';
import { makeTarget, tables, written } from '../../connectors/check/checked-target.ts';
import { aTable, toOrder } from '../../connectors/sql/sql-target.ts';
import {
  JANE,
  JOE,
  jane,
  onEverySqlDatabase,
  previewOf,
  via,
} from '../../connectors/sql/use-sql-target.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { eraseFound } from '../../helpers/erase-found.ts';

const RETAINED: TableAction = { kind: 'retain', reason: 'the login is hers' };
const OVERWRITTEN: TableAction = { kind: 'overwrite', columns: { name: { kind: 'null' } } };
const PEOPLE = aTable('people', { match: { email: 'email' }, action: RETAINED });
const ORDERS = aTable('orders', { via: [via('people', { person: 'id' })] });
const FILL = `
  CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200), name VARCHAR(20), shop INTEGER);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER, giver INTEGER, shop INTEGER);
  CREATE TABLE notes (id INTEGER PRIMARY KEY, purchase INTEGER);
  INSERT INTO people VALUES (1, '${JANE}', NULL, 1), (2, '${JOE}', 'Joe', 1);
  INSERT INTO orders VALUES (11, 1, 2, 1), (12, 2, NULL, 1);
  INSERT INTO notes VALUES (21, 11), (22, 12)`;
const GIVE_AWAY = `UPDATE people SET email = 'carol@example.com' WHERE id = 1`;
const LOCKED = '55P03';
const WAITING = `SELECT 1 AS n FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

await onEverySqlDatabase(
  'a row that leads to others',
  ({ query, open, ids }) => {
    beforeEach(async () => {
      await query(FILL);
      await query(`SET lock_timeout = '100ms'`);
    });
    afterEach(() => query('RESET lock_timeout'));

    /** What another session is told that writes this between the decision and the first change. */
    async function disturbed(plan: Parameters<typeof open>[0], sql: string, changes = {}) {
      const told: unknown[] = [];
      const connector = open(plan, changes, async () => {
        told.push(
          await query(sql).then(
            () => 'done',
            ({ code }) => code,
          ),
        );
      });
      const [erasure] = await eraseFound(connector, [toOrder(jane(), await previewOf(connector))]);
      return { told, erasure };
    }

    it.each([
      ['retained', RETAINED],
      ['overwritten already', OVERWRITTEN],
    ])('a parent that is %s cannot be assigned to somebody else meanwhile', async (_, action) => {
      const { told, erasure } = await disturbed([ORDERS, { ...PEOPLE, action }], GIVE_AWAY);
      expect(told).toEqual([LOCKED]);
      expect(erasure).toMatchObject({ outcome: 'erased', counts: { orders: 1 } });
      expect(await ids('orders')).toEqual([12]);
    });

    it('over another one that stays holds both', async () => {
      const notes = aTable('notes', { via: [via('orders', { purchase: 'id' })] });
      const plan = [notes, { ...ORDERS, action: RETAINED }, PEOPLE];
      expect((await disturbed(plan, GIVE_AWAY)).told).toEqual([LOCKED]);
      expect(await ids('notes')).toEqual([22]);
      await query('INSERT INTO notes VALUES (21, 11)');
      const other = 'UPDATE orders SET person = 2 WHERE id = 11';
      expect((await disturbed(plan, other)).told).toEqual([LOCKED]);
    });

    it("somebody else's parent determines the tenant until the end", async () => {
      const tenancy = { way: 'column', column: 'shop', values: { acme: '1' } } as const;
      const orders = aTable('orders', {
        via: [via('people', { person: 'id' }), via('people', { giver: 'id' })],
        shared: 'erase',
      });
      const move = 'UPDATE people SET shop = 2 WHERE id = 2';
      expect((await disturbed([orders, PEOPLE], move, { tenancy })).told).toEqual([LOCKED]);
    });

    it('leads nowhere, and is not locked', async () => {
      const orders = aTable('orders', {
        match: { controller_customer_id: 'id' },
        action: RETAINED,
      });
      const notes = aTable('notes', { match: { controller_customer_id: 'purchase' } });
      const told: unknown[] = [];
      const connector = open([notes, orders], {}, async () => {
        told.push(await query('UPDATE orders SET giver = 1 WHERE id = 11'));
      });
      const subject = { ...jane(), identities: [new Identity('controller_customer_id', '11')] };
      await eraseFound(connector, [toOrder(subject, await previewOf(connector, subject))]);
      expect(told).toEqual([[]]);
      expect(await ids('notes')).toEqual([22]);
    });

    it('was given away since the transaction began, and is not ours any more', async () => {
      const connector = open([ORDERS, PEOPLE]);
      const order = toOrder(jane(), await previewOf(connector));
      await query('BEGIN');
      await query(GIVE_AWAY);
      const first = eraseFound(connector, [order]);
      const isWaiting = async () => (await query(WAITING)).length > 0;
      while (!(await isWaiting()));
      await query('COMMIT');
      expect(await first).toMatchObject([{ outcome: 'failed', code: 'serialization_failure' }]);
      expect(await eraseFound(connector, [order])).toEqual([{ outcome: 'erased', counts: {} }]);
      expect(await ids('orders')).toEqual([11, 12]);
    });
  },
  ['postgres'],
);

describe.skipIf(!(await hasPostgres()))(
  'an account that may not lock rows that lead to others',
  () => {
    it('is told by the check which grant makes it safe', async () => {
      const account = `unwrite_hold_${process.pid}`;
      const target = await makeTarget('postgres');
      try {
        await target.run(`${FILL}; CREATE ROLE ${account} LOGIN PASSWORD 'test-password'`);
        await target.run(`GRANT SELECT ON people TO ${account};
        GRANT SELECT, DELETE ON orders, notes TO ${account}`);
        const address = new URL(target.url);
        address.username = account;
        address.password = 'test-password';
        const notesOf = async () =>
          written(await target.check({ work: tables([ORDERS, PEOPLE]) }, address.href), 'note');
        const told = (await notesOf()).filter((line) => line.includes('may not lock'));
        expect(told).toEqual([
          expect.stringMatching(/^note people: .*; run: GRANT UPDATE \(id\) ON people TO \w+$/),
        ]);
        await target.run(told[0]?.split('run: ')[1] ?? '');
        expect((await notesOf()).filter((line) => line.includes('may not lock'))).toEqual([]);
      } finally {
        await target.run(`DROP OWNED BY ${account}; DROP ROLE ${account}`);
        await target.close();
      }
    });
  },
);

await onEverySqlDatabase(
  'an account that may not lock rows that lead to others',
  ({ query, open, ids, database }) => {
    const account = `unwrite_hold_too_${process.pid}`;
    beforeEach(() =>
      query(`${FILL}; CREATE ROLE ${account} LOGIN PASSWORD 'test-password';
        GRANT SELECT ON people TO ${account}; GRANT SELECT, DELETE ON orders TO ${account}`),
    );
    afterEach(() => query(`DROP OWNED BY ${account}; DROP ROLE ${account}`));

    it('erases without the lock, and with it from the moment that it is granted', async () => {
      const url = new URL(database().address);
      url.username = account;
      url.password = 'test-password';
      const told: unknown[] = [];
      await query(`SET lock_timeout = '100ms'`);
      const connector = open([ORDERS, PEOPLE], { address: url.href }, async () => {
        const touch = query('UPDATE people SET email = email WHERE id = 1');
        told.push(
          await touch.then(
            () => 'done',
            ({ code }) => code,
          ),
        );
      });
      const order = toOrder(jane(), await previewOf(connector));
      expect(await eraseFound(connector, [order])).toMatchObject([{ counts: { orders: 1 } }]);
      await query(`INSERT INTO orders VALUES (11, 1); GRANT UPDATE ON people TO ${account}`);
      expect(await eraseFound(connector, [order])).toMatchObject([{ counts: { orders: 1 } }]);
      expect(told).toEqual(['done', LOCKED]);
      expect(await ids('orders')).toEqual([12]);
    });
  },
  ['postgres'],
);
