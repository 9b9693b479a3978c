// Rights that are revoked after the gate has let a target through, and connections that keep the rights with which
// they were opened: a foreign key that the account cannot see must not act unnoticed.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connector } from '../../../src/domain/target/connector.ts';
import { hasMariadb } from '../../helpers/databases/fresh-mariadb.ts';
import { aTarget, connect } from '../sql/sql-target.ts';
import { jane, passOrRefuse } from '../sql/use-sql-target.ts';
import { type CheckedTarget, makeTarget, table, tables, written } from './checked-target.ts';

describe.skipIf(!(await hasMariadb()))('an account of MySQL or MariaDB whose rights change', () => {
  const account = `unwrite_rights_${process.pid}`;
  const grantee = `'${account}'@'%'`;
  const other = `unwrite_${randomBytes(6).toString('hex')}`;
  let target: CheckedTarget;
  let connector: Connector;

  beforeEach(async () => {
    target = await makeTarget('mysql');
    await target.run(`CREATE DATABASE ${other};
      CREATE USER ${grantee} IDENTIFIED BY 'test-password';
      CREATE TABLE customers (id int PRIMARY KEY, email varchar(190));
      INSERT INTO customers VALUES (1, 'jane@example.com');
      GRANT SELECT, DELETE, TRIGGER ON customers TO ${grantee}`);
    const address = new URL(target.url);
    address.username = account;
    address.password = 'test-password';
    const work = tables([table('customers')]);
    connector = connect(aTarget({ connector: 'mysql', address: address.href }, work));
  });
  afterEach(async () => {
    await connector.close();
    await target.run(`DROP USER ${grantee}; DROP DATABASE ${other}`);
    await target.close();
  });

  const addHiddenKey = () =>
    target.run(`CREATE TABLE ${other}.notes (id int PRIMARY KEY, customer int, FOREIGN KEY (customer)
        REFERENCES ${new URL(target.url).pathname.slice(1)}.customers (id) ON DELETE CASCADE);
      INSERT INTO ${other}.notes VALUES (11, 1)`);
  const problems = async () => written((await connector.gate?.())?.problems ?? []).join();
  const notes = () => target.run(`SELECT id FROM ${other}.notes`);

  it('is refused in the transaction when PROCESS was revoked after the gate', async () => {
    await target.run(`GRANT PROCESS ON *.* TO ${grantee}`);
    expect(await problems()).toBe('');
    await target.run(`REVOKE PROCESS ON *.* FROM ${grantee}`);
    await addHiddenKey();
    // A connection keeps the right until it is opened anew.
    const open = await target.run(
      `SELECT id FROM information_schema.PROCESSLIST WHERE user = '${account}'`,
    );
    for (const { id } of open) await target.run(`KILL ${id}`);
    await passOrRefuse(connector, jane()).catch(() => undefined);
    expect(await passOrRefuse(connector, jane())).toMatchObject({
      code: 'target_refused',
      message: expect.stringContaining(`run: GRANT PROCESS ON *.* TO ${grantee}`),
    });
    expect(await notes()).toEqual([{ id: 11 }]);
  });

  it('is refused in the transaction when TRIGGER was revoked after the gate', async () => {
    await target.run(`GRANT PROCESS ON *.* TO ${grantee}`);
    expect(await problems()).toBe('');
    await target.run(`REVOKE TRIGGER ON customers FROM ${grantee}`);
    expect(await passOrRefuse(connector, jane())).toMatchObject({
      code: 'target_refused',
      message: expect.stringContaining(`run: GRANT TRIGGER ON customers TO ${grantee}`),
    });
    expect(await target.run('SELECT id FROM customers')).toEqual([{ id: 1 }]);
  });

  it('is looked at over a new connection when it has been granted what it lacked', async () => {
    await addHiddenKey();
    expect(await problems()).toContain('cannot see foreign keys');
    await target.run(`GRANT SELECT ON *.* TO ${grantee}`);
    expect(await problems()).toContain(`also deletes rows of ${other}.notes`);
    expect(await passOrRefuse(connector, jane())).toMatchObject({ code: 'target_refused' });
    expect(await notes()).toEqual([{ id: 11 }]);
  });
});
