import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasMariadb, hasMysql } from '../../helpers/databases/fresh-mariadb.ts';
import { type CheckedTarget, makeTarget, table, tables, via, written } from './checked-target.ts';

const TABLES = `
  CREATE TABLE customers (id int PRIMARY KEY, email varchar(190), name varchar(40));
  CREATE TABLE orders (id int PRIMARY KEY, customer int,
    FOREIGN KEY (customer) REFERENCES customers (id) ON DELETE CASCADE);
  CREATE TABLE secrets (id int PRIMARY KEY);
  CREATE TABLE people (id int PRIMARY KEY, email varchar(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    INDEX (email));
  CREATE TABLE texts (id int PRIMARY KEY, email text);
  CREATE TABLE old (id int PRIMARY KEY, email varchar(190)) ENGINE = MyISAM`;

const isMysql = await hasMysql();

describe.skipIf(!(await hasMariadb()))('the check of a MySQL or MariaDB target', () => {
  const account = `unwrite_check_${process.pid}`;
  const grantee = `'${account}'@'%'`;
  let target: CheckedTarget;
  let url: string;

  beforeAll(async () => {
    target = await makeTarget('mysql');
    await target.run(TABLES);
    await target.run(`CREATE USER ${grantee} IDENTIFIED BY 'test-password'`);
    const address = new URL(target.url);
    address.username = account;
    address.password = 'test-password';
    url = address.href;
  });
  afterAll(async () => {
    await target?.run(`DROP USER ${grantee}`);
    await target?.close();
  });

  it('names the statements that grant what is missing, and passes once they have run', async () => {
    await target.run(
      `GRANT SELECT ON customers TO ${grantee}; GRANT SELECT ON orders TO ${grantee}`,
    );
    const work = tables([
      table('orders', via('customers', { customer: 'id' })),
      table('customers', { action: { kind: 'retain', reason: 'tax law' } }),
    ]);
    const found = async () =>
      written(await target.check({ work }, url), 'problem').filter((line) =>
        line.includes('run: GRANT'),
      );
    const statement = `GRANT DELETE ON orders TO ${grantee}`;
    expect(await found()).toContain(
      `problem orders: ${grantee} lacks rights on it; run: ${statement}`,
    );
    await target.run(statement);
    expect((await found()).filter((line) => line.startsWith('problem orders'))).toEqual([]);
  });

  it('says that a column which the account may not see could be one without rights', async () => {
    await target.run(`GRANT SELECT (id) ON texts TO ${grantee}`);
    const lines = await target.check({ work: tables([table('texts')]) }, url);
    expect(written(lines, 'problem')).toContain(
      'problem texts: has no column "email", or the account has no rights on it; correct match.email',
    );
  });

  it('grants columns one by one', async () => {
    await target.run(
      `GRANT SELECT, TRIGGER ON customers TO ${grantee}; GRANT PROCESS ON *.* TO ${grantee}`,
    );
    const work = tables([
      table('customers', { action: { kind: 'overwrite', columns: { name: { kind: 'hash' } } } }),
    ]);
    const found = async () => written(await target.check({ work }, url), 'problem');
    const statement = `GRANT UPDATE (name) ON customers TO ${grantee}`;
    expect(await found()).toEqual([
      `problem customers: ${grantee} lacks rights on it; run: ${statement}`,
    ]);
    await target.run(statement);
    expect(await found()).toEqual([]);
    await target.run(`REVOKE PROCESS ON *.* FROM ${grantee};
      REVOKE TRIGGER ON customers FROM ${grantee}`);
  });

  it('wants the rights on the table of transactions, once it is there', async () => {
    await target.run(
      `CREATE TABLE unwrite_transactions (number CHAR(36) PRIMARY KEY, began BIGINT NOT NULL);
       GRANT SELECT, DELETE, TRIGGER ON customers TO ${grantee}; GRANT PROCESS ON *.* TO ${grantee};
       GRANT SELECT ON unwrite_transactions TO ${grantee}`,
    );
    const found = async () =>
      written(await target.check({ work: tables([table('customers')]) }, url), 'problem').filter(
        (line) => line.includes('unwrite_transactions'),
      );
    const statement = `GRANT SELECT, INSERT, DELETE ON unwrite_transactions TO ${grantee}`;
    expect(await found()).toEqual([
      `problem unwrite_transactions: ${grantee} lacks rights on it; run: ${statement}`,
    ]);
    await target.run(statement);
    expect(await found()).toEqual([]);
    await target.run(`REVOKE ALL ON unwrite_transactions FROM ${grantee};
      DROP TABLE unwrite_transactions; REVOKE PROCESS ON *.* FROM ${grantee};
      REVOKE DELETE, TRIGGER ON customers FROM ${grantee}`);
  });

  it('says what the account cannot see', async () => {
    await target.run(`GRANT DELETE ON customers TO ${grantee}`);
    const work = tables([table('customers')], { cascades: ['orders'] });
    const lines = async () => written(await target.check({ work }, url), 'warning', 'problem');
    const before = await lines();
    expect(before).toContainEqual(
      expect.stringMatching(
        /^problem account: .* cannot see foreign keys .* GRANT PROCESS ON \*\.\*/,
      ),
    );
    expect(before).toContainEqual(
      expect.stringMatching(/^problem account: .* cannot see the triggers of .*unseen-triggers/),
    );
    await target.run(`GRANT PROCESS ON *.* TO ${grantee};
      GRANT TRIGGER ON customers TO ${grantee}; GRANT TRIGGER ON orders TO ${grantee}`);
    expect((await lines()).filter((line) => line.includes('cannot see'))).toEqual([]);
  });

  it('says what the account could do beyond the plan', async () => {
    await target.run(`GRANT UPDATE ON secrets TO ${grantee}`);
    const work = tables([table('customers')], { cascades: ['orders'] });
    expect(written(await target.check({ work }, url), 'warning')).toContainEqual(
      expect.stringMatching(/^warning account: .* may also change \w+\.secrets, which the plan/),
    );
    expect(written(await target.check({ work }), 'warning')).toContainEqual(
      expect.stringMatching(/^warning account: .* has DELETE, .*SUPER on the whole server;/),
    );
    const schema = new URL(url).pathname.slice(1);
    await target.run(`GRANT DELETE, ALTER ON ${schema}.* TO ${grantee}`);
    expect(written(await target.check({ work }, url), 'warning')).toContainEqual(
      expect.stringMatching(/^warning account: .* has DELETE and ALTER on every table of /),
    );
  });

  it('refuses engines without transactions', async () => {
    expect(written(await target.check({ work: tables([table('old')]) }), 'problem')).toEqual([
      'problem old: its engine MyISAM has no transactions, so a failed erase could not be rolled back; run: ALTER TABLE old ENGINE = InnoDB',
    ]);
  });

  it.skipIf(isMysql)('refuses tables that keep their history', async () => {
    await target.run(
      'CREATE TABLE kept (id int PRIMARY KEY, email varchar(190)) WITH SYSTEM VERSIONING',
    );
    expect(written(await target.check({ work: tables([table('kept')]) }), 'problem')).toEqual([
      expect.stringMatching(/^problem kept: keeps the history of its rows \(system versioning\)/),
    ]);
  });

  it('says that a collation keeps an index from serving', async () => {
    const lines = await target.check({ work: tables([table('people')]) });
    expect(written(lines, 'warning')).toContainEqual(
      expect.stringMatching(
        /no index serves .*collation that ignores case for every language.*now utf8mb4_bin/,
      ),
    );
  });

  it('advises an index on the beginning of a long text', async () => {
    const work = tables([table('texts')]);
    const advised = async () =>
      written(await target.check({ work }), 'warning').filter((line) => line.includes('no index'));
    const [line = ''] = await advised();
    expect(line).toMatch(/add: CREATE INDEX unwrite_texts_email ON texts \(email\(100\)\)$/);
    await target.run(line.split('add: ')[1] ?? '');
    expect(await advised()).toEqual([]);
  });
});
