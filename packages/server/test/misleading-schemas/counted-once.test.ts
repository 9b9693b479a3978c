// Attempts that ended otherwise than they began: each row that we erased is claimed, and claimed once.

import { expect, it } from 'vitest';
import { Identity } from '../../src/domain/request/identity.ts';
import { describeOnEach, itOn, JANE, type Kind, tables, withTarget } from './misled-target.ts';

const overwriteUsers = (columns: string, more = '') => [
  'tenancy: none',
  tables(`{ table: users, match: { email: email }, action: { overwrite: ${columns} }${more} }`),
];

/** MariaDB overwrites no table without a key. */
const itOverwrites = (kind: Kind) => (kind === 'MariaDB' ? it.skip : itOn(kind));

describeOnEach('on %s, the evidence', (kind) => {
  itOn(kind)('counts a row once that was overwritten under one key and then under another', () =>
    withTarget(
      kind,
      `CREATE TABLE users (id INTEGER PRIMARY KEY, no INTEGER NOT NULL UNIQUE, email VARCHAR(100), name VARCHAR(100), seen VARCHAR(100));
      INSERT INTO users VALUES (1, 5, 'jane@x.org', 'Jane', 'today'), (5, 1, 'bob@x.org', 'Bob', 'today')`,
      overwriteUsers('{ name: null }'),
      async (shop) => {
        const request = await shop.request();
        await shop.dieAfterErasing();
        shop.configure(overwriteUsers('{ seen: null }', ', key: [no]'));
        await shop.run();
        expect((await shop.evidenceOf(request))?.tables).toEqual({
          users: { action: 'overwrite', rows: 1 },
        });
      },
    ),
  );

  itOn(kind)('counts a row once that was overwritten as of one entry and then of another', () =>
    withTarget(
      kind,
      `CREATE TABLE users (id INTEGER PRIMARY KEY, kind VARCHAR(10), email VARCHAR(100), name VARCHAR(100), seen VARCHAR(100));
      INSERT INTO users VALUES (1, 'a', 'jane@x.org', 'Jane', 'today'), (2, 'b', 'jane@x.org', 'Jane', 'today')`,
      overwriteUsers('{ name: null }'),
      async (shop) => {
        const request = await shop.request();
        await shop.dieAfterErasing();
        const entry = (of: string) =>
          `{ table: users, where: { kind: ${of} }, match: { email: email }, action: { overwrite: { seen: null } } }`;
        shop.configure(['tenancy: none', tables(entry('a'), entry('b'))]);
        await shop.run();
        const counted = Object.values((await shop.evidenceOf(request))?.tables ?? {});
        expect(counted.reduce((sum, { rows }) => sum + rows, 0)).toBe(2);
      },
    ),
  );

  itOverwrites(kind)(
    'counts a row without a key once that gets another time with each attempt',
    () =>
      withTarget(
        kind,
        `CREATE TABLE users (email VARCHAR(100), erased_at ${kind === 'SQLite' ? 'TEXT' : 'timestamp'});
      INSERT INTO users VALUES ('jane@x.org', NULL)`,
        overwriteUsers('{ erased_at: { now: true } }'),
        async (shop) => {
          const request = await shop.request();
          await shop.runWhile("INSERT INTO users VALUES ('jane@x.org', NULL)");
          shop.later();
          await shop.dieAfterErasing();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect((await shop.evidenceOf(request))?.tables).toEqual({
            users: { action: 'overwrite', rows: 2 },
          });
        },
      ),
  );

  itOverwrites(kind)('counts a row without a key once that two plans overwrote', () =>
    withTarget(
      kind,
      `CREATE TABLE users (email VARCHAR(100), name VARCHAR(100), seen VARCHAR(100));
      INSERT INTO users VALUES ('jane@x.org', 'Jane', 'today')`,
      overwriteUsers('{ name: null }'),
      async (shop) => {
        const request = await shop.request();
        await shop.dieAfterErasing();
        shop.configure(overwriteUsers('{ seen: null }'));
        await shop.run();
        expect((await shop.evidenceOf(request))?.tables).toEqual({
          users: { action: 'overwrite', rows: 1 },
        });
      },
    ),
  );

  itOverwrites(kind)('counts a row that one plan deleted beside one that the next overwrote', () =>
    withTarget(
      kind,
      `CREATE TABLE users (email VARCHAR(100), name VARCHAR(100));
      INSERT INTO users VALUES ('jane@x.org', 'Jane')`,
      ['tenancy: none', tables('{ table: users, match: { email: email } }')],
      async (shop) => {
        const request = await shop.request();
        await shop.runWhile("INSERT INTO users VALUES ('jane@x.org', 'Jane again')");
        shop.later();
        shop.configure(overwriteUsers('{ name: null }'));
        await shop.run();
        expect((await shop.evidenceOf(request))?.tables).toEqual({
          users: { action: 'overwrite', rows: 2 },
        });
      },
    ),
  );

  itOverwrites(kind)(
    'counts rows without a key once that got the time of an attempt that died',
    () =>
      withTarget(
        kind,
        `CREATE TABLE users (email VARCHAR(100), no INTEGER, erased ${kind === 'PostgreSQL' ? 'timestamptz' : 'TEXT'});
      INSERT INTO users VALUES ('jane@x.org', NULL, NULL), (NULL, 1, NULL)`,
        [
          'tenancy: none',
          tables(
            '{ table: users, match: { email: email, controller_customer_id: no }, action: { overwrite: { no: null, erased: { now: true } } } }',
          ),
        ],
        async (shop) => {
          const request = await shop.request([
            ...JANE,
            new Identity('controller_customer_id', '1'),
          ]);
          await shop.dieAfterErasing();
          await shop.run();
          expect((await shop.evidenceOf(request))?.tables).toEqual({
            users: { action: 'overwrite', rows: 2 },
          });
        },
      ),
  );

  itOn(kind)('claims what went although other rows of the intent had been handed over', () =>
    withTarget(
      kind,
      `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(100));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER);
      CREATE TABLE items (id INTEGER PRIMARY KEY, order_id INTEGER);
      INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'jane@x.org');
      INSERT INTO orders VALUES (10, 1);
      INSERT INTO items VALUES (100, 10)`,
      [
        'tenancy: none',
        tables(
          '{ table: items, via: { orders: { order_id: id } } }',
          '{ table: orders, via: { users: { user_id: id } } }',
          '{ table: users, match: { email: email } }',
        ),
      ],
      async (shop) => {
        const request = await shop.request();
        await shop.dieAfterErasing("UPDATE users SET email = 'bob@x.org' WHERE id = 1");
        await shop.run();
        expect(await shop.evidenceOf(request)).toMatchObject({
          action: 'erased',
          recovered: true,
          tables: { users: { rows: 1 } },
        });
      },
    ),
  );

  const STAFF = `
    CREATE TABLE staff (id INTEGER PRIMARY KEY, email VARCHAR(100));
    CREATE TABLE teams (id INTEGER PRIMARY KEY, lead_id INTEGER,
      FOREIGN KEY (lead_id) REFERENCES staff (id));
    INSERT INTO staff VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
    INSERT INTO teams VALUES (10, 1), (11, 1), (12, 2)`;
  const DETACHING = [
    'tenancy: none',
    'detach: [teams.lead_id]',
    tables('{ table: staff, match: { email: email } }'),
  ];

  itOn(kind)('counts a row once that was detached, tied again and detached again', () =>
    withTarget(kind, STAFF, DETACHING, async (shop) => {
      const request = await shop.request();
      await shop.runWithoutSecondLook();
      await shop.query("INSERT INTO staff VALUES (1, 'jane@x.org')");
      await shop.query('UPDATE teams SET lead_id = 1 WHERE id = 11');
      await shop.run();
      expect((await shop.evidenceOf(request))?.tables?.teams).toEqual({
        action: 'detach',
        rows: 0,
        detached: 2,
      });
    }),
  );

  itOn(kind)('says detached of the rows that an attempt that died has detached', () =>
    withTarget(kind, STAFF, DETACHING, async (shop) => {
      const request = await shop.request();
      await shop.dieAfterErasing();
      await shop.run();
      expect((await shop.evidenceOf(request))?.tables).toMatchObject({
        staff: { rows: 1 },
        teams: { detached: 2 },
      });
    }),
  );
});

describeOnEach('a row that is overwritten and loses a reference (%s)', (kind) => {
  itOn(kind)('is counted as overwritten alone', () =>
    withTarget(
      kind,
      `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(50));
       CREATE TABLE partners (id INTEGER PRIMARY KEY, email VARCHAR(50), name VARCHAR(20),
         writer_id INTEGER, FOREIGN KEY (writer_id) REFERENCES users (id));
       INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
       INSERT INTO partners VALUES (1, 'jane@x.org', 'Jane', 1), (2, 'bob@x.org', 'Bob', 1)`,
      [
        'tenancy: none',
        tables(
          '{ table: partners, match: { email: email }, action: { overwrite: { name: null, email: null } } }',
          '{ table: users, match: { email: email } }',
        ),
        'detach: [partners.writer_id]',
      ],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
        expect((await shop.evidenceOf(request))?.tables).toEqual({
          partners: { action: 'overwrite', rows: 1, detached: 1 },
          users: { action: 'delete', rows: 1 },
        });
        expect(await shop.query('SELECT id, name, writer_id FROM partners ORDER BY id')).toEqual([
          { id: 1, name: null, writer_id: null },
          { id: 2, name: 'Bob', writer_id: null },
        ]);
      },
    ),
  );
});
