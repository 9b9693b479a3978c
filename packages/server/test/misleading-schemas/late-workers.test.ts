// A worker hangs before it erases, for longer than its lease, and goes on when another has done its work.
import { expect } from 'vitest';
import { describeOnEach, itOn, tables, withTarget } from './misled-target.ts';

const VISITS = `
  CREATE TABLE visits (email VARCHAR(100), page VARCHAR(100));
  INSERT INTO visits VALUES ('jane@x.org', 'a'), ('bob@x.org', 'b')`;
const SHOP = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER);
  INSERT INTO customers VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO orders VALUES (1, 1), (2, 2)`;
const ORDERS = 'table: orders, via: { customers: { customer_id: id } }';
const CUSTOMERS = 'table: customers, match: { email: email }';
const STATEMENTS = `sql:
      preview: SELECT count(*) FROM visits WHERE email = :email
      erase: DELETE FROM visits WHERE email = :email
      verify: SELECT count(*) FROM visits WHERE email = :email`;

describeOnEach('a worker on %s that lost its batch while it hung', (kind) => {
  for (const [how, work] of [
    ['by condition', tables('{ table: visits, match: { email: email } }')],
    ['by hand-written statements', STATEMENTS],
  ] as const) {
    itOn(kind)(`erases nothing ${how} that was written after the completion`, () =>
      withTarget(kind, VISITS, ['tenancy: none', work], async (shop) => {
        const request = await shop.request();
        const goOn = await shop.hangBeforeErasing();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        await shop.query("INSERT INTO visits VALUES ('jane@x.org', 'back again')");
        await goOn();
        expect(await shop.count('visits')).toBe(2);
      }),
    );
  }

  itOn(kind)('erases nothing that the configuration of the other worker retains', () =>
    withTarget(
      kind,
      SHOP,
      ['tenancy: none', tables(`{ ${ORDERS} }`, `{ ${CUSTOMERS} }`)],
      async (shop) => {
        const request = await shop.request();
        const goOn = await shop.hangBeforeErasing();
        shop.configure([
          'tenancy: none',
          tables(
            `{ ${ORDERS}, action: { retain: tax } }`,
            `{ ${CUSTOMERS}, action: { retain: tax } }`,
          ),
        ]);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        await goOn();
        expect(await shop.count('orders')).toBe(2);
        expect(await shop.count('customers')).toBe(2);
      },
    ),
  );
});
