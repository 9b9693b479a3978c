// A row of the person that somebody adds while the row that it refers to is about to be deleted, and whose
// reference may become NULL.
import { describe, expect } from 'vitest';
import { hasMysql } from '../../helpers/databases/fresh-mariadb.ts';
import { until } from '../../helpers/until.ts';
import { itOn, tables, withTarget } from '../misled-target.ts';

const PEOPLE = '{ table: people, match: { email: email } }';
const ORDERS = 'table: orders, via: { people: [{ buyer: id }, { giver: id }] }';
const schema = (onDelete: string) => `
  CREATE TABLE people (id INT PRIMARY KEY, email VARCHAR(99));
  CREATE TABLE orders (id INT PRIMARY KEY, buyer INT, giver INT, ship_to VARCHAR(99),
    FOREIGN KEY (buyer) REFERENCES people (id) ${onDelete});
  INSERT INTO people VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO orders VALUES (1, 1, NULL, 'Jane'), (2, 2, NULL, 'Bob')`;
const LONG = (await hasMysql()) ? 'time > 0' : 'time_ms > 100';
const IS_WAITING = `SELECT 1 FROM information_schema.processlist
  WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE '%FOR UPDATE' AND ${LONG}`;

describe.each(['', 'ON DELETE CASCADE', 'ON DELETE SET NULL'])(
  'on MariaDB, with a foreign key %s, an order that is added while the buyer is erased',
  (onDelete) => {
    itOn('MariaDB').each([
      ['overwritten', `{ ${ORDERS}, action: { overwrite: { ship_to: null } } }`, ['Bob', null]],
      ['deleted', `{ ${ORDERS}, shared: keep }`, ['Bob']],
    ])('is not detached, but %s with the others', (_, orders, left) =>
      withTarget(
        'MariaDB',
        schema(onDelete),
        [
          'controllers: [acme]',
          'lock_timeout: 30s',
          tables(orders, PEOPLE),
          'detach: [orders.buyer]',
        ],
        async (shop) => {
          const request = await shop.request();
          await shop.query('START TRANSACTION');
          await shop.query(`INSERT INTO orders VALUES (3, 1, NULL, 'Jane again')`);
          const run = shop.run();
          await until(
            async () => (await shop.query(IS_WAITING)).length > 0,
            () => 'nobody waits for the new order',
          );
          await shop.query('COMMIT');
          await run;
          shop.later();
          if ((await shop.statusOf(request)) !== 'completed') await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          const rows = await shop.query(
            'SELECT DISTINCT ship_to FROM orders ORDER BY ship_to DESC',
          );
          expect(rows.map(({ ship_to }) => ship_to)).toEqual(left);
        },
      ),
    );
  },
);
