// What PostgreSQL refuses to change, or to tell: published tables, rules, rights of followers, triggers that are put off.
import { describe, expect, it } from 'vitest';
import {
  makeTarget,
  table,
  tables as work,
  written,
} from '../../connectors/check/checked-target.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { held, itOn, refused, tables, withTarget } from '../misled-target.ts';

const USERS = '{ table: u, match: { email: email } }';
const ORDERS = '{ table: o, via: { u: { uid: id } } }';

describe('a published table without a replica identity', () => {
  itOn('PostgreSQL').each([
    ['CREATE TABLE u (email text, x int)', 'FOR ALL TABLES', 'u'],
    ['CREATE TABLE u (email text, x int NOT NULL UNIQUE)', 'FOR TABLE u', 'u'],
    [
      'CREATE TABLE u (email text, x int) PARTITION BY LIST (x); CREATE TABLE u1 PARTITION OF u DEFAULT',
      'FOR TABLE u WITH (publish_via_partition_root)',
      'u1',
    ],
  ])('is told with the statement that ends it: %s', async (schema, published, name) => {
    const sql = `${schema}; INSERT INTO u VALUES ('jane@x.org', 1), ('bob@x.org', 2);
      CREATE PUBLICATION p1 ${published}`;
    await withTarget('PostgreSQL', sql, ['tenancy: none', tables(USERS)], async (shop) => {
      const [line = '', ...others] = await shop.problems();
      expect(others).toEqual([]);
      expect(line).toMatch(/^u: is published \(publication p1\)/);
      const [, statement = ''] = /run: (ALTER .* FULL),/.exec(line) ?? [];
      expect(statement).toMatch(new RegExp(`^ALTER TABLE \\w+\\.${name} REPLICA`));
      await shop.query(statement);
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
    });
  });

  itOn('PostgreSQL').each(['SET NULL', 'NO ACTION'])(
    'is told where it is detached, %s',
    async (action) => {
      const sql = `CREATE TABLE u (id int PRIMARY KEY, email text);
      CREATE TABLE o (uid int REFERENCES u ON DELETE ${action}); CREATE PUBLICATION p1 FOR TABLE o`;
      const plan = ['tenancy: none', tables(USERS), 'detach: [o.uid]'];
      await withTarget('PostgreSQL', sql, plan, async (shop) => {
        expect(await shop.problems()).toEqual([expect.stringMatching(/^o: is published/)]);
        await shop.query('DROP PUBLICATION p1');
        expect(await shop.problems()).toEqual([]);
      });
    },
  );
});

describe('a table with rules', () => {
  const schema = `CREATE TABLE u (id int PRIMARY KEY, email text);
    CREATE TABLE o (id int PRIMARY KEY, uid int REFERENCES u, keep bool);
    CREATE TABLE log (id int);
    INSERT INTO u VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
    INSERT INTO o VALUES (1, 1, false), (2, 2, true)`;

  itOn('PostgreSQL').each([
    'ON DELETE TO o DO ALSO INSERT INTO log VALUES (OLD.id)',
    'ON DELETE TO o WHERE OLD.keep DO INSTEAD NOTHING',
  ])('is refused: %s', async (rule) => {
    const sql = `${schema}; CREATE RULE r1 AS ${rule}`;
    const plan = ['tenancy: none', tables(ORDERS, USERS), 'triggers: [r1]', 'cascades: [log]'];
    await withTarget('PostgreSQL', sql, plan, async (shop) => {
      expect(await shop.problems()).toEqual([
        expect.stringMatching(/^o: the rule r1 rewrites statements on it; .*by hand/),
      ]);
      await shop.request();
      expect(await shop.run()).toMatchObject(refused('the rule r1'));
      expect(await shop.count('o')).toBe(2);
    });
  });
});

describe('a trigger that is put off', () => {
  const off = (name: string, body: string, on: string) => `
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER ${name} AFTER ${on} DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION ${name}();`;
  const schema = `CREATE TABLE u (id int PRIMARY KEY, email text);
    CREATE TABLE log (id int); CREATE TABLE b (id int);
    INSERT INTO u VALUES (1, 'jane@x.org'), (2, 'bob@x.org'); INSERT INTO b VALUES (1), (2);
    ${off('t1', 'SET CONSTRAINTS ALL DEFERRED; INSERT INTO log VALUES (OLD.id)', 'DELETE ON u')}
    ${off('t2', 'DELETE FROM b WHERE id = 2', 'INSERT ON log')}`;

  itOn('PostgreSQL')('by another one is counted too', async () => {
    const plan = ['tenancy: none', tables(USERS), 'triggers: [t1, t2]', 'cascades: [log]'];
    await withTarget('PostgreSQL', schema, plan, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      await shop.request();
      expect(await shop.run()).toMatchObject(held('unplanned_change'));
      expect(await shop.count('b')).toBe(2);
    });
  });
});

describe.skipIf(!(await hasPostgres()))('rights', () => {
  it('the right to count rows that follow an overwritten column is required', async () => {
    const account = `unwrite_follow_${process.pid}`;
    const target = await makeTarget('postgres');
    try {
      await target.run(`CREATE TABLE u (id int PRIMARY KEY, code text UNIQUE, email text);
        CREATE TABLE m (id int PRIMARY KEY, code text REFERENCES u (code) ON UPDATE CASCADE);
        CREATE ROLE ${account} LOGIN PASSWORD 'test-password';
        GRANT SELECT, UPDATE ON u TO ${account}`);
      const address = new URL(target.url);
      address.username = account;
      address.password = 'test-password';
      const columns = { code: { kind: 'unique', text: 'x-{random}' } } as const;
      const plan = work([table('u', { action: { kind: 'overwrite', columns } })], {
        cascades: ['m'],
      });
      const problems = async () =>
        written(await target.check({ work: plan }, address.href), 'problem');
      expect(await problems()).toEqual([
        `problem m: ${account} lacks rights on it; run: GRANT SELECT ON m TO ${account}`,
      ]);
      await target.run(`GRANT SELECT ON m TO ${account}`);
      expect(await problems()).toEqual([]);
    } finally {
      await target.run(`DROP OWNED BY ${account}; DROP ROLE ${account}`);
      await target.close();
    }
  });
});
