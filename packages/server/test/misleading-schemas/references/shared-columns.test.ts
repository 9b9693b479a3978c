// Several foreign keys on one column: what the one has set to NULL, the other has nothing to change in.
import { expect } from 'vitest';
import { describeOnEach, itOn, tables, withTarget } from '../misled-target.ts';

const ACTIONS = ['NO ACTION', 'SET NULL', 'CASCADE'];
const PAIRS = ACTIONS.flatMap((first) => ACTIONS.map((second) => [first, second] as const));
const PROFILES = '{ table: p, via: { u: { id: id } } }';
const USERS = '{ table: u, match: { email: email } }';
const PLAN = ['tenancy: none', tables(PROFILES, USERS), 'detach: [o.uid]'];

const schemaOf = (toUser: string, toProfile: string) => `
  CREATE TABLE u (id INTEGER PRIMARY KEY, email VARCHAR(100));
  CREATE TABLE p (id INTEGER PRIMARY KEY, FOREIGN KEY (id) REFERENCES u (id));
  CREATE TABLE o (id INTEGER PRIMARY KEY, uid INTEGER,
    FOREIGN KEY (uid) REFERENCES u (id) ON DELETE ${toUser},
    FOREIGN KEY (uid) REFERENCES p (id) ON DELETE ${toProfile});
  INSERT INTO u VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO p VALUES (1), (2);
  INSERT INTO o VALUES (1, 1), (2, 2), (3, 1)`;

describeOnEach('two foreign keys on one column (%s)', (kind) => {
  itOn(kind).each(PAIRS)('%s and %s are detached together', (toUser, toProfile) =>
    withTarget(kind, schemaOf(toUser, toProfile), PLAN, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.evidenceOf(request)).toMatchObject({
        tables: {
          u: { rows: 1 },
          p: { rows: 1 },
          o: { action: 'detach', rows: 0, detached: 2 },
        },
      });
      expect(await shop.query('SELECT id, uid FROM o ORDER BY id')).toEqual([
        { id: 1, uid: null },
        { id: 2, uid: 2 },
        { id: 3, uid: null },
      ]);
    }),
  );

  itOn(kind).each(PAIRS)('%s and %s of the same parent are one change', (one, other) => {
    const schema = `
      CREATE TABLE u (id INTEGER PRIMARY KEY, email VARCHAR(100));
      CREATE TABLE o (id INTEGER PRIMARY KEY, uid INTEGER,
        FOREIGN KEY (uid) REFERENCES u (id) ON DELETE ${one},
        FOREIGN KEY (uid) REFERENCES u (id) ON DELETE ${other});
      INSERT INTO u VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
      INSERT INTO o VALUES (1, 1), (2, 2)`;
    return withTarget(
      kind,
      schema,
      ['tenancy: none', tables(USERS), 'detach: [o.uid]'],
      async (shop) => {
        const request = await shop.request();
        expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT id, uid FROM o ORDER BY id')).toEqual([
          { id: 1, uid: null },
          { id: 2, uid: 2 },
        ]);
      },
    );
  });

  itOn(kind)('that is a part of both lets one row refer by one of them only', () => {
    const schema = `
      CREATE TABLE u (id INTEGER PRIMARY KEY, shop INTEGER NOT NULL, email VARCHAR(100), UNIQUE (shop, id));
      CREATE TABLE p (id INTEGER PRIMARY KEY, shop INTEGER NOT NULL, uid INTEGER, UNIQUE (shop, id),
        FOREIGN KEY (uid) REFERENCES u (id));
      CREATE TABLE o (id INTEGER PRIMARY KEY, shop INTEGER, uid INTEGER, pid INTEGER,
        FOREIGN KEY (shop, uid) REFERENCES u (shop, id) ON DELETE SET NULL,
        FOREIGN KEY (shop, pid) REFERENCES p (shop, id) ON DELETE SET NULL);
      INSERT INTO u VALUES (1, 7, 'jane@x.org'), (2, 7, 'bob@x.org');
      INSERT INTO p VALUES (1, 7, 1), (2, 7, 2);
      INSERT INTO o VALUES (1, 7, 1, 1), (2, 7, 2, 2), (3, 7, 1, 2), (4, 7, 2, 1)`;
    const plan = [
      'tenancy: none',
      tables('{ table: p, via: { u: { uid: id } } }', USERS),
      'detach: [o.shop, o.uid, o.pid]',
    ];
    return withTarget(kind, schema, plan, async (shop) => {
      const request = await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.count('o WHERE shop IS NULL')).toBe(3);
    });
  });
});
