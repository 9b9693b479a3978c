// Somebody else's transaction, at the most dangerous moment: between the decision whose a row is and the
// first change. Not on SQLite, whose file is locked by then.

import { beforeEach, expect, it } from 'vitest';
import type { TableAction } from '../../../../src/domain/target/target.ts';
import { eraseFound } from '../../../helpers/erase-found.ts';
import { aTable } from '../sql-target.ts';
import { JANE, JOE, jane, onEverySqlDatabase, via } from '../use-sql-target.ts';

const ORDERS = aTable('orders', { via: [via('people', { person: 'id' })] });
const PARENTS: [string, TableAction][] = [
  ['deleted', { kind: 'delete' }],
  ['retained', { kind: 'retain', reason: 'tax law' }],
];
const FILL = `
  CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER);
  INSERT INTO people VALUES (1, '${JANE}'), (2, '${JOE}');
  INSERT INTO orders VALUES (11, 1), (12, 1)`;
const GIVE_AWAY = 'UPDATE orders SET person = 2 WHERE id = 12';

await onEverySqlDatabase(
  'a child of a parent that is',
  ({ query, open, ids }) => {
    beforeEach(() => query(FILL));

    it.each(PARENTS)('%s, given to somebody else, stays theirs', async (_, action) => {
      const people = aTable('people', { match: { email: 'email' }, action });
      let isGiven = false;
      const connector = open([ORDERS, people], {}, async () => {
        if (!isGiven) await query(GIVE_AWAY);
        isGiven = true;
      });
      const [first] = await eraseFound(connector, [jane()]);
      expect(first).toMatchObject({ outcome: 'failed', code: 'serialization_failure' });
      const [second] = await eraseFound(connector, [jane()]);
      expect(second).toMatchObject({ counts: { orders: 1 } });
      expect(await ids('orders')).toEqual([12]);
    });
  },
  ['postgres'],
);

await onEverySqlDatabase(
  'a child of a parent that is',
  ({ query, open, ids }) => {
    beforeEach(() => query(FILL));

    it.each(PARENTS)('%s, and the parent, cannot be given to somebody else', async (_, action) => {
      const people = aTable('people', { match: { email: 'email' }, action });
      await query('SET SESSION innodb_lock_wait_timeout = 0');
      const refused: unknown[] = [];
      const connector = open([ORDERS, people], {}, async () => {
        for (const sql of [GIVE_AWAY, `UPDATE people SET email = 'x@example.com' WHERE id = 1`])
          await query(sql).catch((error) => refused.push(error.code));
      });
      expect(await eraseFound(connector, [jane()])).toMatchObject([{ counts: { orders: 2 } }]);
      expect(refused).toEqual(['ER_LOCK_WAIT_TIMEOUT', 'ER_LOCK_WAIT_TIMEOUT']);
      expect(await ids('orders')).toEqual([]);
    });
  },
  ['mysql'],
);
