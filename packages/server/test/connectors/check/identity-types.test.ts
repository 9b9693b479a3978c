import { expect, it } from 'vitest';
import type { SqlTargetConfig } from '../../../src/domain/target/target.ts';
import { table, tables, via, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const TABLES = `CREATE TABLE customers (id int NOT NULL PRIMARY KEY, email varchar(190), code varchar(9));
CREATE TABLE orders (id int NOT NULL PRIMARY KEY, customer int);
CREATE TABLE letters (id int NOT NULL PRIMARY KEY, email varchar(190))`;

await onEachDatabase('the check of requests with one kind of identity', TABLES, ({ check }) => {
  const orders = table('orders', via('customers', { customer: 'id' }));
  const customers = table('customers', {
    match: { email: 'email', controller_customer_id: 'code' },
  });
  const letters = table('letters', { match: { email: 'email' } });
  const of = async (list: Parameters<typeof tables>[0], more: Partial<SqlTargetConfig> = {}) =>
    written(await check({ work: tables(list), ...more }), 'warning').filter((line) =>
      line.startsWith('warning match: '),
    );

  it('names the tables that could not be searched', async () => {
    expect(await of([orders, customers, letters])).toEqual([
      'warning match: a request that has only a controller_customer_id is held: letters can be asked by email alone; add controller_customer_id: <column> to match, let a target look up the email ("resolve"), or say when_unmatched: skip for these tables',
    ]);
    expect(await of([orders, customers])).toEqual([]);
  });

  it('says that no table could be searched', async () => {
    expect(await of([letters])).toEqual([
      expect.stringMatching(/when_unmatched: skip for the target$/),
    ]);
    expect(await of([letters], { whenUnmatched: 'skip' })).toEqual([]);
  });

  it('passes if the other identity is looked up, or the table may be left out', async () => {
    const skipped = { ...letters, whenUnmatched: 'skip' } as const;
    expect(await of([customers, skipped])).toEqual([]);
    const resolve = {
      table: 'customers',
      from: { type: 'controller_customer_id', column: 'code' },
      to: { type: 'email', column: 'email' },
      limit: 5,
    } as const;
    expect(await of([customers, letters], { resolve })).toEqual([]);
  });
});
