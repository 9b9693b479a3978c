// Tables that cannot be rolled back, or that keep what is deleted, are a problem; only the second can be
// accepted. What the check says, the server does.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Connector } from '../../../src/domain/target/connector.ts';
import type { SqlTargetConfig, TablesWork } from '../../../src/domain/target/target.ts';
import { hasMariadb, hasMysql } from '../../helpers/databases/fresh-mariadb.ts';
import { aTarget, connect } from '../sql/sql-target.ts';
import { jane, passOrRefuse } from '../sql/use-sql-target.ts';
import { type CheckedTarget, makeTarget, table, tables, via, written } from './checked-target.ts';

const CHILD_OF_MYISAM = tables([
  table('old_orders', via('customers', { customer: 'id' })),
  table('customers'),
]);
const VERSIONED = tables([table('kept')]);

const isMysql = await hasMysql();

describe.skipIf(!(await hasMariadb()))('how MySQL or MariaDB keeps rows', () => {
  let target: CheckedTarget;
  const opened: Connector[] = [];
  beforeAll(async () => {
    target = await makeTarget('mysql');
    await target.run(`
      CREATE TABLE customers (id int PRIMARY KEY, email varchar(190));
      CREATE TABLE old_orders (id int PRIMARY KEY, customer int) ENGINE = MyISAM;
      CREATE TABLE kept (id int PRIMARY KEY, email varchar(190)) ${isMysql ? '' : 'WITH SYSTEM VERSIONING'};
      INSERT INTO customers VALUES (1, 'jane@example.com');
      INSERT INTO old_orders VALUES (11, 1);
      INSERT INTO kept VALUES (21, 'jane@example.com')`);
  });
  afterEach(async () => {
    for (const connector of opened.splice(0)) await connector.close();
  });
  afterAll(() => target?.close());

  function open(work: TablesWork, changes: Partial<SqlTargetConfig> = {}): Connector {
    const connector = connect(aTarget({ connector: 'mysql', address: target.url }, work, changes));
    opened.push(connector);
    return connector;
  }

  it('a child table without transactions is refused, and no row is changed', async () => {
    const message = expect.stringMatching(
      /old_orders: its engine MyISAM has no transactions.*run: ALTER TABLE old_orders ENGINE = InnoDB/,
    );
    expect(written((await open(CHILD_OF_MYISAM).gate?.())?.problems ?? [])).toEqual([message]);
    expect(await passOrRefuse(open(CHILD_OF_MYISAM), jane())).toMatchObject({
      code: 'target_refused',
      message,
    });
    expect(await target.run('SELECT id FROM old_orders')).toHaveLength(1);
    expect(await target.run('SELECT id FROM customers')).toHaveLength(1);
  });

  it('an engine without transactions cannot be accepted', async () => {
    const accept = {
      old_orders: 'fine',
      'engine:old_orders': 'fine',
      'history:old_orders': 'fine',
    };
    const report = await open(CHILD_OF_MYISAM, { accept }).gate?.();
    expect(report).toMatchObject({ problems: [{ subject: 'old_orders' }], accepted: {} });
  });

  it.skipIf(isMysql)('a table with a history is refused, and no row is changed', async () => {
    const report = await open(VERSIONED).gate?.();
    expect(report?.problems).toMatchObject([
      {
        finding: 'history:kept',
        message: expect.stringContaining('ALTER TABLE kept DROP SYSTEM VERSIONING'),
      },
    ]);
    expect(await passOrRefuse(open(VERSIONED), jane())).toMatchObject({ code: 'target_refused' });
    expect(await target.run('SELECT id FROM kept')).toHaveLength(1);
  });

  it.skipIf(isMysql)(
    'a table with an accepted history is erased from, and the reason is reported',
    async () => {
      const accept = { 'history:kept': 'dropped every night by a job' };
      expect(await open(VERSIONED, { accept }).gate?.()).toMatchObject({
        problems: [],
        accepted: accept,
      });
      expect(await passOrRefuse(open(VERSIONED, { accept }), jane())).toMatchObject({
        outcome: 'erased',
        counts: { kept: 1 },
      });
    },
  );
});
