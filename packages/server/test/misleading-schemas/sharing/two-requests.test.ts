// Two requests for one person in one batch: each row is in the evidence of one of them.
import { expect } from 'vitest';
import { describeOnEach, itOn, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(100), name VARCHAR(20));
  CREATE TABLE orders (no INTEGER, user_id INTEGER);
  INSERT INTO users VALUES (1, 'jane@x.org', 'erased'), (2, 'bob@x.org', 'Bob');
  INSERT INTO orders VALUES (10, 1), (20, 2)`;

describeOnEach('on %s, two requests for a person', (kind) => {
  itOn(kind)(
    'count the children of a row that is overwritten already once, also after the worker died',
    () =>
      withTarget(
        kind,
        SCHEMA,
        [
          'tenancy: none',
          tables(
            '{ table: orders, via: { users: { user_id: id } } }',
            '{ table: users, match: { email: email }, action: { overwrite: { name: erased } } }',
          ),
        ],
        async (shop) => {
          const requests = [await shop.request(), await shop.request()];
          await shop.dieAfterErasing();
          await shop.run();
          const evidence = await Promise.all(requests.map((request) => shop.evidenceOf(request)));
          const rows = evidence.map((one) => one?.tables.orders?.rows ?? 0);
          expect(rows.reduce((sum, own) => sum + own, 0)).toBe(1);
          expect(await shop.count('orders')).toBe(1);
        },
      ),
  );
});
