// A request that would be held by itself, for rows that go with another request of its batch: what it finds by an identity that is
// not proven is not erased because of that.
import { expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { describeOnEach, itOn } from '../../misleading-schemas/misled-target.ts';
import { withLookups } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE accounts (id INTEGER PRIMARY KEY, email VARCHAR(50));
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email VARCHAR(50), no VARCHAR(10), account_id INTEGER,
    FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE);
  INSERT INTO accounts VALUES (1, 'joe@x.org'), (2, 'ann@x.org');
  INSERT INTO crm VALUES (3, 'joe@x.org', '2', 1), (5, 'ann@x.org', '3', 2)`;
const TARGETS = {
  one: [
    "resolve: { table: crm, from: { controller_customer_id: 'no' }, to: { email: email } }",
    'tables: [{ table: orders, match: { controller_customer_id: customer }, when_unmatched: skip }]',
  ],
  two: [
    'tables: [{ table: crm, match: { email: email } }, { table: accounts, match: { email: email } }]',
  ],
};

describeOnEach('a batch of two requests (%s)', (kind) => {
  itOn(kind)('holds the one with an email address that is not proven any more', () =>
    withLookups(
      kind,
      `CREATE TABLE orders (id INTEGER PRIMARY KEY, customer VARCHAR(10)); ${SCHEMA}`,
      TARGETS,
      async (world) => {
        const numbered = (no: string) => new Identity('controller_customer_id', no);
        const first = await world.request(numbered('2'));
        const second = await world.request(numbered('3'));
        await world.run('one');
        await world.query("UPDATE crm SET email = 'ann@x.org', no = '3' WHERE id = 3");
        await world.run('one');
        await world.run('two');
        expect(await world.task(first, 'two')).toMatchObject({
          state: 'held',
          reason: 'unproven_identity',
        });
        expect(await world.ids('accounts')).toContain(1);
        expect(await world.task(second, 'two')).not.toMatchObject({ state: 'failed' });
      },
    ),
  );
});
