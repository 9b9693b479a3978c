// Partitioned tables of PostgreSQL whose partitions differ: foreign keys of their own, and keys to one of them.
import { describe, expect } from 'vitest';
import { itOn, refused, tables, withTarget } from '../misled-target.ts';

const USERS = '{ table: u, match: { email: email } }';
const ORDERS = '{ table: o, via: { u: { uid: id } } }';
const RETAINED = '{ table: o, via: { u: { uid: id } }, action: { retain: tax } }';
const PARTITIONED = `
  CREATE TABLE o (id int, uid int, d int, PRIMARY KEY (id, d)) PARTITION BY RANGE (d);
  CREATE TABLE o1 PARTITION OF o FOR VALUES FROM (0) TO (10) PARTITION BY RANGE (d);
  CREATE TABLE o1a PARTITION OF o1 FOR VALUES FROM (0) TO (10);
  CREATE TABLE o2 PARTITION OF o FOR VALUES FROM (10) TO (20);`;
const schemaOf = (orders: string, onDelete: string) => `
  CREATE TABLE u (id int PRIMARY KEY, email text);
  ${orders}
  ALTER TABLE o1 ADD FOREIGN KEY (uid) REFERENCES u ON DELETE ${onDelete};
  INSERT INTO u VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO o VALUES (1, 1, 1), (2, 1, 11), (3, 2, 1), (4, 2, 11)`;
const ACTIONS = ['NO ACTION', 'CASCADE', 'SET NULL'];
describe('a foreign key of one partition', () => {
  itOn('PostgreSQL').each(ACTIONS)('is one of the declared table: ON DELETE %s', async (action) => {
    const plan = ['tenancy: none', tables(ORDERS, USERS)];
    await withTarget('PostgreSQL', schemaOf(PARTITIONED, action), plan, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      expect((await shop.warnings()).filter((line) => line.includes('o1'))).toEqual([]);
      const request = await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query('SELECT id FROM o ORDER BY id')).toEqual([{ id: 3 }, { id: 4 }]);
    });
  });

  itOn('PostgreSQL')('is not listed beside the table that it is a part of', async () => {
    const plan = ['tenancy: none', tables(ORDERS, USERS), 'cascades: [o1]'];
    await withTarget('PostgreSQL', schemaOf(PARTITIONED, 'CASCADE'), plan, async (shop) => {
      expect(await shop.problems()).toEqual([
        'o1: is listed under "cascades", and is a part of o, whose rows include its own; take it from the list',
      ]);
    });
  });

  itOn('PostgreSQL').each(ACTIONS)('is detached where it is one: ON DELETE %s', async (action) => {
    const plan = ['tenancy: none', tables(RETAINED, USERS)];
    await withTarget(
      'PostgreSQL',
      schemaOf(PARTITIONED, action),
      [...plan, 'detach: [o1.uid]'],
      async (shop) => {
        expect(await shop.problems()).toContainEqual(
          'o1: o1.uid is listed under "detach", and o1 is a part of o; write o.uid',
        );
        shop.configure([...plan, 'detach: [o.uid]']);
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT id, uid FROM o ORDER BY id')).toEqual([
          { id: 1, uid: null },
          // No foreign key: it keeps the number.
          { id: 2, uid: 1 },
          { id: 3, uid: 2 },
          { id: 4, uid: 2 },
        ]);
      },
    );
  });
});

describe('a foreign key to one partition', () => {
  const schema = `
    CREATE TABLE u (id int, d int, email text, PRIMARY KEY (id, d)) PARTITION BY LIST (d);
    CREATE TABLE u1 PARTITION OF u FOR VALUES IN (1);
    CREATE TABLE u2 PARTITION OF u FOR VALUES IN (2);
    ALTER TABLE u1 ADD UNIQUE (id);
    CREATE TABLE z (id int PRIMARY KEY, uid int REFERENCES u1 (id));
    INSERT INTO u VALUES (1, 1, 'bob@x.org'), (1, 2, 'jane@x.org');
    INSERT INTO z VALUES (1, 1)`;

  itOn('PostgreSQL')('is not taken for one to a row of another partition', async () => {
    const plan = ['tenancy: none', tables(USERS), 'detach: [z.uid]'];
    await withTarget('PostgreSQL', schema, plan, async (shop) => {
      expect(await shop.problems()).toEqual([
        expect.stringMatching(/^u: z refers to its partition u1 alone .* in place of u/),
      ]);
      const parts = ['u1', 'u2'].map((name) => `{ table: ${name}, match: { email: email } }`);
      shop.configure(['tenancy: none', tables(...parts), 'detach: [z.uid]']);
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query('SELECT email FROM u')).toEqual([{ email: 'bob@x.org' }]);
      expect(await shop.query('SELECT uid FROM z')).toEqual([{ uid: 1 }]);
    });
  });
});

describe('a row that moves to another partition', () => {
  const plan = (overwrite: string, more: readonly string[] = []) => [
    'tenancy: none',
    ...more,
    tables(`{ table: u, match: { email: email }, action: { overwrite: { ${overwrite} } } }`),
  ];
  const states = `
    CREATE TABLE u (id int, st text, email text) PARTITION BY LIST (st);
    CREATE TABLE u_a PARTITION OF u FOR VALUES IN ('a');
    CREATE TABLE u_b PARTITION OF u FOR VALUES IN ('b');
    INSERT INTO u VALUES (1, 'a', 'jane@x.org'), (2, 'a', 'bob@x.org'), (3, 'b', 'jane@x.org')`;
  const emails = `
    CREATE TABLE u (id int, email text) PARTITION BY LIST (email);
    CREATE TABLE u_a PARTITION OF u FOR VALUES IN ('jane@x.org');
    CREATE TABLE u_b PARTITION OF u DEFAULT;
    INSERT INTO u VALUES (1, 'jane@x.org'), (2, 'bob@x.org'), (3, 'jane@x.org')`;

  itOn('PostgreSQL').each([
    ['a column beside the identity', states, 'email: null, st: b'],
    ['the identity itself', emails, 'email: null'],
  ])('by the overwriting of %s is one row', async (_, schema, overwrite) => {
    await withTarget('PostgreSQL', schema, plan(overwrite), async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.evidenceOf(request)).toMatchObject({ tables: { u: { rows: 2 } } });
      expect(await shop.count('u WHERE email IS NULL')).toBe(2);
      expect(await shop.count("u WHERE id = 2 AND email = 'bob@x.org'")).toBe(1);
    });
  });

  itOn('PostgreSQL').each(['SET NULL', 'NO ACTION'])('by being detached, %s', async (action) => {
    const schema = `
      CREATE TABLE u (id int PRIMARY KEY, email text);
      CREATE TABLE o (id int, uid int REFERENCES u ON DELETE ${action}) PARTITION BY LIST (uid);
      CREATE TABLE o_1 PARTITION OF o FOR VALUES IN (1);
      CREATE TABLE o_n PARTITION OF o DEFAULT;
      INSERT INTO u VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
      INSERT INTO o VALUES (1, 1), (2, 2)`;
    const detached = ['tenancy: none', tables(USERS), 'detach: [o.uid]'];
    await withTarget('PostgreSQL', schema, detached, async (shop) => {
      const request = await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query('SELECT id, uid FROM o ORDER BY id')).toEqual([
        { id: 1, uid: null },
        { id: 2, uid: 2 },
      ]);
    });
  });

  itOn('PostgreSQL')('does not hide a trigger that deletes one and adds another', async () => {
    const schema = `${states};
      CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        DELETE FROM u WHERE id = 2; INSERT INTO u VALUES (4, 'a', 'eve@x.org'); RETURN NULL; END $$;
      CREATE TRIGGER t1 AFTER UPDATE ON u FOR EACH STATEMENT EXECUTE FUNCTION f()`;
    await withTarget(
      'PostgreSQL',
      schema,
      plan('email: null', ['triggers: [t1]']),
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject({
          outcomes: [{ outcome: 'held', reason: 'unplanned_change' }],
        });
        expect(await shop.count('u')).toBe(3);
      },
    );
  });
});

describe('a table from which others inherit that are not partitions', () => {
  const schema = `
    CREATE TABLE u (id int PRIMARY KEY, email text);
    CREATE TABLE staff (room int, PRIMARY KEY (id)) INHERITS (u);
    INSERT INTO u VALUES (1, 'jane@x.org'); INSERT INTO staff VALUES (1, 'bob@x.org', 7)`;

  itOn('PostgreSQL')('is refused, and each of them can be declared', async () => {
    await withTarget('PostgreSQL', schema, ['tenancy: none', tables(USERS)], async (shop) => {
      expect(await shop.problems()).toEqual([
        expect.stringMatching(/^u: other tables, which are not its partitions, inherit from it/),
      ]);
      await shop.request();
      expect(await shop.run()).toMatchObject(refused('inherit from it'));
      expect(await shop.count('u')).toBe(2);
      shop.configure(['tenancy: none', tables('{ table: staff, match: { email: email } }')]);
      expect(await shop.problems()).toEqual([]);
    });
  });

  itOn('PostgreSQL')('is taken where they are chunks of TimescaleDB', async () => {
    const chunks = `CREATE SCHEMA _timescaledb_internal; ${schema
      .replace('TABLE staff', 'TABLE _timescaledb_internal.chunk')
      .replace('INTO staff VALUES (1,', 'INTO _timescaledb_internal.chunk VALUES (2,')}`;
    await withTarget('PostgreSQL', chunks, ['tenancy: none', tables(USERS)], async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query('SELECT email FROM u')).toEqual([{ email: 'bob@x.org' }]);
    });
  });
});
