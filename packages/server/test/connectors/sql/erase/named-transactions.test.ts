// A worker dies around the commit of a transaction, and another asks the target how it ended.
import { expect, it } from 'vitest';
import { SQL_DIALECTS } from '../../../../src/connectors/sql/create-sql-connector.ts';
import type { Connector, RecordTransaction } from '../../../../src/domain/target/connector.ts';
import { aTable, toOrder } from '../sql-target.ts';
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

  async function erase(connector: Connector, record: RecordTransaction): Promise<void> {
    const [preview] = await connector.preview([jane()]);
    await connector.erase([toOrder(jane(), preview)], record);
  }

  /** Erases, and returns the name that was recorded. */
  async function nameOf(connector: Connector, afterwards = async () => {}): Promise<string> {
    let name: string | null = null;
    await erase(connector, async (transaction) => {
      name = transaction.name;
      await afterwards();
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
    });
    expect(meanwhile).toEqual(['open']);
  });

  it('says what it is about to commit', async () => {
    const recorded: unknown[] = [];
    await erase(await prepare(), async ({ erasures }) => void recorded.push(...erasures));
    expect(recorded).toEqual([
      { taskNo: 1, erasure: { outcome: 'erased', counts: { customers: 1 } } },
    ]);
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
    const [preview] = await connector.preview([jane()]);
    const names: unknown[] = [];
    await connector.erase([toOrder(jane(), preview)], async ({ name }) => void names.push(name));
    expect(names).toEqual([null]);
    expect(await target.ids('customers')).toEqual([2]);
    expect(await connector.endOf?.([`${Date.now()} 1`])).toEqual(['unknown']);
  });
});
