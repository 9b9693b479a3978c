// A worker dies around the commit of a transaction, and another asks the target how it ended.
import { expect, it } from 'vitest';
import { SQL_DIALECTS } from '../../../../src/connectors/sql/create-sql-connector.ts';
import type { Connector, EraseSteps } from '../../../../src/domain/target/connector.ts';
import { eraseFound } from '../../../helpers/erase-found.ts';
import { aTable } from '../sql-target.ts';
import { JANE, jane, onEverySqlDatabase, type SqlTargetInUse } from '../use-sql-target.ts';

const SHOP = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(200));
  INSERT INTO customers VALUES (1, '${JANE}'), (2, 'joe@example.com')`;
const CUSTOMERS = aTable('customers', { match: { email: 'email' } });

await onEverySqlDatabase('an erasing transaction', (target) => {
  async function prepare(): Promise<Connector> {
    await target.query(SHOP);
    for (const sql of SQL_DIALECTS[target.connector].transactions.table?.create ?? [])
      await target.query(sql);
    return target.open([CUSTOMERS], { lockTimeout: 200 });
  }

  const erase = (connector: Connector, record: EraseSteps['record']) =>
    eraseFound(connector, [jane()], record);

  /** Erases, and returns the name that was recorded. */
  async function nameOf(connector: Connector, afterwards = async () => {}): Promise<string> {
    let name: string | null = null;
    await erase(connector, async (transaction) => {
      name = transaction.name;
      await afterwards();
      return true;
    }).catch(() => undefined);
    if (name === null) throw new Error('the transaction has no name');
    return name;
  }

  it('has committed if the worker died after the commit', async () => {
    const name = await nameOf(await prepare());
    expect(await target.ids('customers')).toEqual([2]);
    expect(await target.open([CUSTOMERS]).endOf?.([name])).toEqual(['committed']);
  });

  it('was rolled back if the worker died before the commit', async () => {
    const name = await nameOf(await prepare(), () => Promise.reject(new Error('killed')));
    expect(await target.ids('customers')).toEqual([1, 2]);
    const other = target.open([CUSTOMERS]);
    expect(await other.endOf?.([name])).toEqual(['rolled_back']);
    expect(await other.endOf?.([name])).toEqual(['rolled_back']);
  });

  it('is open while it can still commit', async () => {
    const connector = await prepare();
    const other = target.open([CUSTOMERS], { lockTimeout: 200 });
    let meanwhile: unknown;
    await erase(connector, async (transaction) => {
      meanwhile = await other.endOf?.([transaction.name ?? '']);
      return true;
    });
    expect(meanwhile).toEqual(['open']);
  });

  it('says what it is about to commit', async () => {
    const recorded: unknown[] = [];
    await erase(await prepare(), async ({ erasures }) => recorded.push(...erasures) > 0);
    expect(recorded).toEqual([
      { taskNo: 1, erasure: { outcome: 'erased', counts: { customers: 1 } } },
    ]);
  });

  it('is rolled back if it may not be committed', async () => {
    expect(await erase(await prepare(), async () => false)).toEqual([{ outcome: 'left_out' }]);
    expect(await target.ids('customers')).toEqual([1, 2]);
  });

  it('of another server is not known', async () => {
    const connector = await prepare();
    expect(await connector.endOf?.(['3 1 00000001 5', 'nonsense'])).toEqual(['unknown', 'unknown']);
  });
});

const withTable = (tests: (target: SqlTargetInUse) => void) =>
  onEverySqlDatabase('an erasing transaction without a table of names', tests, ['mysql', 'sqlite']);

await withTable((target) => {
  it('has no name, and erases', async () => {
    await target.query(SHOP);
    const connector = target.open([CUSTOMERS]);
    const names: unknown[] = [];
    await eraseFound(connector, [jane()], async ({ name }) => names.push(name) > 0);
    expect(names).toEqual([null]);
    expect(await target.ids('customers')).toEqual([2]);
    expect(await connector.endOf?.([`${Date.now()} 1`])).toEqual(['unknown']);
  });
});
