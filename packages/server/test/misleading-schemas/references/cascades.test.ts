// Tables under `cascades`, whose rows go or change with the rows that they refer to.
import { describe, expect } from 'vitest';
import { describeOnEach, held, itOn, tables, withTarget } from '../misled-target.ts';

describeOnEach('on %s, a table under cascades', (kind) => {
  describe.each(['CASCADE', 'SET NULL'])('with ON DELETE %s', (action) => {
    const schema = `
      CREATE TABLE users (id INTEGER PRIMARY KEY, account VARCHAR(10), email VARCHAR(100));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, account VARCHAR(10), user_id INTEGER,
        FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE ${action});
      INSERT INTO users VALUES (1, 'acme', 'jane@x.org');
      INSERT INTO orders VALUES (10, 'acme', 1), (11, 'globex', 1)`;
    const settings = [
      'tenant_column: account',
      'cascades: [orders]',
      tables('{ table: users, match: { email: email } }'),
    ];

    itOn(kind)('keeps its rows of another tenant until they are corrected', () =>
      withTarget(kind, schema, settings, async (shop) => {
        const request = await shop.request();
        expect(await shop.run()).toMatchObject(held('tenant_mismatch'));
        expect(await shop.count('orders WHERE user_id = 1')).toBe(2);
        await shop.query('UPDATE orders SET user_id = NULL WHERE id = 11');
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count("orders WHERE account = 'globex'")).toBe(1);
      }),
    );
  });
});

describeOnEach('on %s, a table that follows a detached column', (kind) => {
  for (const action of ['', ' ON DELETE SET NULL']) {
    itOn(kind)(`is changed with it under cascades${action}`, () =>
      withTarget(
        kind,
        `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(100));
        CREATE TABLE seats (id INTEGER PRIMARY KEY, user_id INTEGER UNIQUE,
          FOREIGN KEY (user_id) REFERENCES users (id)${action});
        CREATE TABLE badges (id INTEGER PRIMARY KEY, user_id INTEGER,
          FOREIGN KEY (user_id) REFERENCES seats (user_id) ON UPDATE SET NULL);
        INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
        INSERT INTO seats VALUES (1, 1), (2, 2); INSERT INTO badges VALUES (1, 1), (2, 1), (3, 2)`,
        [
          'tenancy: none',
          'detach: [seats.user_id]',
          'cascades: [badges]',
          tables('{ table: users, match: { email: email } }'),
        ],
        async (shop) => {
          expect(await shop.problems()).toEqual([]);
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.count('badges WHERE user_id IS NULL')).toBe(2);
          expect(await shop.count('badges WHERE user_id = 2')).toBe(1);
        },
      ),
    );
  }
});
