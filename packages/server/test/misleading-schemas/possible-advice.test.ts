// What a hold or the check tells the operator to write must be accepted, and not be the case already.
import { expect } from 'vitest';
import { describeOnEach, held, itOn, tables, withTarget } from './misled-target.ts';

const key = (column: string, to: string, action = '') =>
  `FOREIGN KEY (${column}) REFERENCES ${to} ${action}`;
const C = '{ table: c, match: { email: email } }';

describeOnEach('%s', (kind) => {
  itOn(kind)('a household that is shared is held as shared, whatever refers to it', () =>
    withTarget(
      kind,
      `CREATE TABLE households (id INT PRIMARY KEY, address VARCHAR(9));
      CREATE TABLE members (id INT PRIMARY KEY, household_id INT, email VARCHAR(99), ${key('household_id', 'households(id)')});
      INSERT INTO households VALUES (1, 'a'); INSERT INTO members VALUES (1, 1, 'jane@x.org'), (2, 1, 'bob@x.org')`,
      [
        'tenancy: none',
        tables(
          '{ table: members, match: { email: email } }',
          '{ table: households, via: { members: { id: household_id } } }',
        ),
      ],
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('shared'));
      },
    ),
  );

  itOn(kind)('no "via" of a table to itself is suggested', () =>
    withTarget(
      kind,
      `CREATE TABLE c (id INT PRIMARY KEY, email VARCHAR(99), up INT, ${key('up', 'c(id)')});
      INSERT INTO c VALUES (1, 'jane@x.org', NULL), (2, 'bob@x.org', 1)`,
      ['tenancy: none', tables(C)],
      async (shop) => {
        await shop.request();
        const { outcomes } = await shop.run();
        expect(outcomes).toMatchObject([{ reason: 'unplanned_change' }]);
        expect(JSON.stringify(outcomes)).toContain('detach: [c.up]');
        expect(JSON.stringify(outcomes)).not.toContain('via');
      },
    ),
  );

  itOn(kind)('nor overwriting where it is overwritten', () =>
    withTarget(
      kind,
      `CREATE TABLE c (id INT PRIMARY KEY, email VARCHAR(99) NOT NULL UNIQUE);
      CREATE TABLE o (id INT PRIMARY KEY, mail VARCHAR(99), ${key('mail', 'c(email)')});
      INSERT INTO c VALUES (1, 'jane@x.org'); INSERT INTO o VALUES (1, 'jane@x.org')`,
      [
        'tenancy: none',
        tables(
          '{ table: c, match: { email: email }, action: { overwrite: { email: { unique: "e-{random}" } } } }',
        ),
      ],
      async (shop) => {
        expect(await shop.warnings()).toContainEqual(
          expect.stringContaining('c.email, which o.mail refers to'),
        );
        await shop.request();
        const { outcomes } = await shop.run();
        expect(outcomes).toMatchObject([
          { detail: expect.stringContaining('do not overwrite c.email') },
        ]);
        expect(JSON.stringify(outcomes)).not.toContain('instead of deleting');
      },
    ),
  );

  const ENTRIES = [
    '{ table: o, where: { n: 0 }, via: { c: { cid: id } }, action: { overwrite: { cid: null } } }',
    '{ table: o, where: { n: 1 }, via: { c: { cid: id } }, action: { retain: tax } }',
  ];
  for (const [order, entries] of [
    ['first', ENTRIES],
    ['last', ENTRIES.toReversed()],
  ] as const)
    itOn(kind)(`a cascade to rows that are retained is refused (overwritten ones ${order})`, () =>
      withTarget(
        kind,
        `CREATE TABLE c (id INT PRIMARY KEY, email VARCHAR(99));
        CREATE TABLE o (id INT PRIMARY KEY, n INT, cid INT, ${key('cid', 'c(id)', 'ON DELETE CASCADE')})`,
        ['tenancy: none', tables(...entries, C)],
        async (shop) => {
          expect(await shop.problems()).toEqual([
            expect.stringContaining('which the plan retains'),
          ]);
        },
      ),
    );
});
