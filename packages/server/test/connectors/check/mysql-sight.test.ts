// What the account cannot see counts as a problem: a foreign key with CASCADE from a schema or a table that
// it has no rights on would empty that table, unseen.
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connector } from '../../../src/domain/target/connector.ts';
import type { SqlTargetConfig } from '../../../src/domain/target/target.ts';
import { hasMariadb } from '../../helpers/databases/fresh-mariadb.ts';
import { aTarget, connect } from '../sql/sql-target.ts';
import { jane, passOrRefuse } from '../sql/use-sql-target.ts';
import { type CheckedTarget, makeTarget, table, tables, via, written } from './checked-target.ts';

const WORK = tables([table('customers')]);
const TABLES = `
  CREATE TABLE customers (id int PRIMARY KEY, email varchar(190));
  INSERT INTO customers VALUES (1, 'jane@example.com')`;

describe.skipIf(!(await hasMariadb()))('an account of MySQL or MariaDB that sees little', () => {
  const account = `unwrite_sight_${process.pid}`;
  const grantee = `'${account}'@'%'`;
  let target: CheckedTarget;
  let schema: string;
  let other: string;
  let url: string;
  const opened: Connector[] = [];

  beforeAll(async () => {
    target = await makeTarget('mysql');
    schema = new URL(target.url).pathname.slice(1);
    other = `unwrite_${randomBytes(6).toString('hex')}`;
    await target.run(`CREATE DATABASE ${other}; ${TABLES};
      CREATE TABLE ${other}.notes (id int PRIMARY KEY, customer int,
        FOREIGN KEY (customer) REFERENCES ${schema}.customers (id) ON DELETE CASCADE);
      INSERT INTO ${other}.notes VALUES (11, 1)`);
    const address = new URL(target.url);
    address.username = account;
    address.password = 'test-password';
    url = address.href;
  });
  beforeEach(() => target.run(`CREATE USER ${grantee} IDENTIFIED BY 'test-password'`));
  afterEach(async () => {
    for (const connector of opened.splice(0)) await connector.close();
    await target.run(`DROP USER ${grantee}`);
  });
  afterAll(async () => {
    await target?.run(`DROP DATABASE ${other}`);
    await target?.close();
  });

  function open(changes: Partial<SqlTargetConfig> = {}): Connector {
    const connector = connect(aTarget({ connector: 'mysql', address: url }, WORK, changes));
    opened.push(connector);
    return connector;
  }
  const gate = async (changes: Partial<SqlTargetConfig> = {}) => {
    const report = await open(changes).gate?.();
    if (report === undefined) throw new Error('there is no gate');
    return report;
  };
  const notes = () => target.run(`SELECT id FROM ${other}.notes`);

  it.each([
    ['the schema', () => `GRANT SELECT, DELETE, TRIGGER ON ${schema}.* TO ${grantee}`],
    ['its tables', () => `GRANT SELECT, DELETE, TRIGGER ON customers TO ${grantee}`],
  ])('an account with rights on %s only is refused, with the missing grant', async (_, grant) => {
    await target.run(grant());
    const { problems } = await gate();
    expect(written(problems)).toEqual([
      expect.stringMatching(
        /^problem account: .* cannot see foreign keys .*run: GRANT PROCESS ON \*\.\* TO/,
      ),
    ]);
    expect(problems.map(({ finding }) => finding)).toEqual(['unseen-foreign-keys']);
  });

  it('is refused with the table in the other schema, once it sees it', async () => {
    await target.run(`GRANT SELECT, DELETE, TRIGGER ON customers TO ${grantee};
      GRANT PROCESS ON *.* TO ${grantee}`);
    const { problems } = await gate();
    expect(written(problems).join()).toMatch(new RegExp(`${other}\\.notes`));
    expect(problems.map(({ finding }) => finding)).toEqual([undefined]);
    const subject = jane();
    expect(await passOrRefuse(open(), subject)).toMatchObject({
      code: 'target_refused',
      message: expect.stringContaining(`${other}.notes`),
    });
    expect(await notes()).toEqual([{ id: 11 }]);
  });

  it.each(['cust/omers', 'a@002db', 'große kunden', '客户'])(
    'is refused with the table in the other schema if it refers to one called %s',
    async (name) => {
      await target.run(`CREATE TABLE \`${name}\` (id int PRIMARY KEY, email varchar(190));
        CREATE TABLE ${other}.hidden (id int PRIMARY KEY, customer int,
          FOREIGN KEY (customer) REFERENCES ${schema}.\`${name}\` (id) ON DELETE CASCADE);
        GRANT SELECT, DELETE, TRIGGER ON ${schema}.\`${name}\` TO ${grantee};
        GRANT PROCESS ON *.* TO ${grantee}`);
      const connector = connect(
        aTarget({ connector: 'mysql', address: url }, tables([table(name)])),
      );
      opened.push(connector);
      const report = await connector.gate?.();
      await target.run(`DROP TABLE ${other}.hidden; DROP TABLE \`${name}\``);
      expect(written(report?.problems ?? []).join()).toContain(
        `also deletes rows of ${other}.hidden`,
      );
    },
  );

  it('is refused without TRIGGER, with the grant that is missing', async () => {
    await target.run(`GRANT SELECT, DELETE ON customers TO ${grantee};
      GRANT PROCESS ON *.* TO ${grantee}`);
    const { problems } = await gate();
    expect(problems.find(({ finding }) => finding === 'unseen-triggers')?.message).toContain(
      `GRANT TRIGGER ON customers TO ${grantee}`,
    );
  });

  it('is refused without PROCESS where a trigger or a foreign key may change other rows', async () => {
    await target.run(`
      CREATE TABLE people (id int PRIMARY KEY, email varchar(190)); CREATE TABLE log (id int);
      CREATE TRIGGER t1 AFTER DELETE ON people FOR EACH ROW INSERT INTO log VALUES (OLD.id);
      GRANT SELECT, DELETE, TRIGGER ON people TO ${grantee}`);
    const problems = async () => {
      const work = { ...tables([table('people')]), triggers: ['t1'] };
      const accept = { 'unseen-foreign-keys': 'there are none' };
      const config = { ...aTarget({ connector: 'mysql', address: url }, work), accept };
      const connector = connect(config);
      opened.push(connector);
      return written((await connector.gate?.())?.problems ?? []);
    };
    expect(await problems()).toEqual([
      expect.stringMatching(/changes of people fire triggers .*run: GRANT PROCESS ON \*\.\*/),
    ]);
    await target.run(`GRANT PROCESS ON *.* TO ${grantee}`);
    expect(await problems()).toEqual([]);
  });

  it('is let through if what it cannot see is accepted, and the reasons are reported', async () => {
    await target.run(`GRANT SELECT, DELETE ON customers TO ${grantee}`);
    const accept = {
      'unseen-foreign-keys': 'no other schema refers to ours, ticket 4711',
      'unseen-triggers': 'there are none, ticket 4711',
    };
    expect(await gate({ accept })).toMatchObject({ problems: [], accepted: accept });
    const { 'unseen-triggers': _, ...half } = accept;
    const { problems, accepted } = await gate({ accept: half });
    expect(problems.map(({ finding }) => finding)).toEqual(['unseen-triggers']);
    expect(accepted).toEqual(half);
  });

  it('is not let through by accepting anything else', async () => {
    await target.run(`GRANT SELECT, TRIGGER ON customers TO ${grantee};
      GRANT PROCESS ON *.* TO ${grantee}`);
    const accept = {
      customers: 'fine',
      account: 'fine',
      [`${other}.notes`]: 'fine',
      cascades: 'fine',
    };
    const { problems, accepted } = await gate({ accept });
    expect(written(problems).join()).toMatch(/lacks rights on it; run: GRANT DELETE ON customers/);
    expect(written(problems).join()).toMatch(new RegExp(`${other}\\.notes`));
    expect(accepted).toEqual({});
  });

  it('is refused if a column of a table is hidden from it, which may be the tenant, with the missing grant', async () => {
    await target.run(`
      CREATE TABLE shoppers (id int PRIMARY KEY, email varchar(190), shop varchar(9));
      CREATE TABLE baskets (id int PRIMARY KEY, shopper int, shop varchar(9));
      GRANT PROCESS ON *.* TO ${grantee}; GRANT SELECT, DELETE, TRIGGER ON shoppers TO ${grantee};
      GRANT SELECT (id, shopper), DELETE, TRIGGER ON baskets TO ${grantee}`);
    const work = tables([table('baskets', via('shoppers', { shopper: 'id' })), table('shoppers')]);
    const tenancy = { way: 'column', column: 'shop', values: {} } as const;
    const look = async (changes: Partial<SqlTargetConfig> = {}) => {
      const config = aTarget({ connector: 'mysql', address: url }, work, { tenancy, ...changes });
      const connector = connect(config);
      opened.push(connector);
      return written((await connector.gate?.())?.problems ?? []);
    };
    const found = await look();
    expect(found).toEqual([
      expect.stringContaining(`hides the others from it, so a tenant column among them`),
    ]);
    expect(await look({ accept: { 'unseen-columns:baskets': 'ticket 4711' } })).toEqual([]);
    await target.run(/run: (GRANT [^;]*)/.exec(String(found[0]))?.[1] ?? '');
    expect(await look()).toEqual([]);
  });

  it('is refused if columns of a table are hidden from it after the gate has let it through', async () => {
    await target.run(`
      CREATE TABLE buyers (id int PRIMARY KEY, email varchar(190), shop varchar(9));
      CREATE TABLE carts (id int PRIMARY KEY, buyer int, shop varchar(9));
      INSERT INTO buyers VALUES (1, 'jane@example.com', 'acme');
      INSERT INTO carts VALUES (11, 1, 'acme'), (12, 1, 'globex');
      GRANT PROCESS ON *.* TO ${grantee};
      GRANT SELECT, DELETE, TRIGGER ON buyers TO ${grantee};
      GRANT SELECT, DELETE, TRIGGER ON carts TO ${grantee}`);
    const work = tables([table('carts', via('buyers', { buyer: 'id' })), table('buyers')]);
    const tenancy = { way: 'column', column: 'shop', values: {} } as const;
    const connector = connect(aTarget({ connector: 'mysql', address: url }, work, { tenancy }));
    opened.push(connector);
    expect((await connector.gate?.())?.problems).toEqual([]);
    await target.run(`REVOKE SELECT ON carts FROM ${grantee};
      GRANT SELECT (id, buyer) ON carts TO ${grantee}`);
    expect(await passOrRefuse(connector, jane())).toMatchObject({
      code: 'target_refused',
      message: expect.stringContaining(`run: GRANT SELECT ON carts TO ${grantee}`),
    });
    expect(await target.run('SELECT id FROM carts ORDER BY id')).toEqual([{ id: 11 }, { id: 12 }]);
  });

  it('is told the missing grant too if the hidden column is what the plan lacks', async () => {
    await target.run(`
      CREATE TABLE guests (id int, email varchar(190), shop varchar(9), PRIMARY KEY (shop, id));
      CREATE TABLE stays (id int PRIMARY KEY, guest int, shop varchar(9));
      GRANT PROCESS ON *.* TO ${grantee};
      GRANT SELECT, DELETE, TRIGGER ON guests TO ${grantee};
      GRANT SELECT (id, guest), DELETE, TRIGGER ON stays TO ${grantee}`);
    const work = tables([table('stays', via('guests', { guest: 'id' })), table('guests')]);
    const tenancy = { way: 'column', column: 'shop', values: {} } as const;
    const connector = connect(aTarget({ connector: 'mysql', address: url }, work, { tenancy }));
    opened.push(connector);
    expect(written((await connector.gate?.())?.problems ?? []).join()).toContain(
      `run: GRANT SELECT ON stays TO ${grantee}`,
    );
  });

  it.each([
    ['CASCADE', /deleting from payers also deletes rows of bills/],
    ['RESTRICT', /^$/],
  ])('sees what a foreign key does in a table that it may only read (%s)', async (action, said) => {
    await target.run(`DROP TABLE IF EXISTS bills, payers;
      CREATE TABLE payers (id int PRIMARY KEY, email varchar(190));
      CREATE TABLE bills (id int PRIMARY KEY, payer int COMMENT 'a\nCONSTRAINT \`c\` FOREIGN KEY (',
        CONSTRAINT \`c \`\`)\` FOREIGN KEY (payer) REFERENCES payers (id) ON DELETE ${action} ON UPDATE ${action});
      INSERT INTO payers VALUES (1, 'jane@example.com'); INSERT INTO bills VALUES (11, 1);
      GRANT SELECT ON *.* TO ${grantee}; GRANT DELETE, TRIGGER ON payers TO ${grantee}`);
    const config = aTarget({ connector: 'mysql', address: url }, tables([table('payers')]));
    const connector = connect(config);
    opened.push(connector);
    expect(written((await connector.gate?.())?.problems ?? []).join()).toMatch(said);
    await passOrRefuse(connector, jane());
    expect(await target.run('SELECT id FROM bills')).toEqual([{ id: 11 }]);
  });

  it('is refused if it cannot see a column of a foreign key, with the table to grant', async () => {
    await target.run(`
      CREATE TABLE staff (id int PRIMARY KEY, email varchar(190));
      CREATE TABLE tasks (id int PRIMARY KEY, author int, reviewer int,
        FOREIGN KEY (author) REFERENCES staff (id), FOREIGN KEY (reviewer) REFERENCES staff (id));
      GRANT PROCESS ON *.* TO ${grantee}; GRANT SELECT, DELETE, TRIGGER ON staff TO ${grantee};
      GRANT SELECT (id, author), DELETE, TRIGGER ON tasks TO ${grantee}`);
    const work = tables([table('tasks', via('staff', { author: 'id' })), table('staff')]);
    const connector = connect(aTarget({ connector: 'mysql', address: url }, work));
    opened.push(connector);
    expect(written((await connector.gate?.())?.problems ?? [])).toEqual([
      'problem tables: a foreign key uses tasks.reviewer, and the account cannot see that column; grant it SELECT on tasks',
      expect.stringMatching(
        /^problem tasks: .* hides the others from it, .*GRANT SELECT ON tasks TO/,
      ),
    ]);
  });
});
