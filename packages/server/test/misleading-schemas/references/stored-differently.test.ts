// InnoDB's foreign keys compare what columns store. Where two types store one value differently, the key refers to
// other rows than every statement finds by the values: with Jane's row, it would delete Bob's.
import { describe, expect } from 'vitest';
import {
  held,
  itOn,
  itOnMariadb,
  itOnMysql,
  refused,
  tables,
  withTarget,
} from '../misled-target.ts';

/** MySQL has neither these types nor these collations. */
const onServerOf = (type: string) => (/^UUID|_nopad_/.test(type) ? itOnMariadb : itOn('MariaDB'));

const PAIRS = [
  ["ENUM('a', 'b')", "ENUM('b', 'a')", ["'a'", "'b'"], ["'a'", "'b'"]],
  ['TINYINT UNSIGNED', "ENUM('2', '1')", ['1', '2'], ["'1'", "'2'"]],
  ['TINYINT UNSIGNED', "SET('x', 'y')", ['1', '2'], ["'y'", "'x'"]],
  ['TINYINT UNSIGNED', 'YEAR', ['101', '102'], ['2002', '2001']],
  [
    'CHAR(5) COLLATE utf8mb4_nopad_bin',
    'VARCHAR(9) COLLATE utf8mb4_nopad_bin',
    ["'a'", "'b'"],
    ["'b    '", "'a    '"],
  ],
  ['DECIMAL(4, 2)', 'DECIMAL(4, 0)', ['1.00', '2.00'], ['512', '256']],
] as const;

const plan = tables(
  '{ table: letters, match: { email: writer } }',
  '{ table: people, match: { email: email } }',
);

const schemaOf = (parent: string, child: string, onDelete: string) => `
  CREATE TABLE people (k ${parent} NOT NULL PRIMARY KEY, email VARCHAR(99));
  CREATE TABLE letters (
    id INT PRIMARY KEY, k ${child}, writer VARCHAR(99),
    FOREIGN KEY (k) REFERENCES people (k) ON DELETE ${onDelete}
  )`;

describe('a foreign key between columns that store one value differently', () => {
  for (const [parent, child, [jane, bob], [janes, bobs]] of PAIRS)
    onServerOf(child)(`is refused: ${child} that refers to ${parent}`, async () => {
      const schema = `${schemaOf(parent, child, 'CASCADE')};
        INSERT INTO people VALUES (${jane}, 'jane@x.org'), (${bob}, 'bob@x.org');
        INSERT INTO letters VALUES (1, ${janes}, 'jane@x.org'), (2, ${bobs}, 'bob@x.org')`;
      await withTarget('MariaDB', schema, ['controllers: [acme]', plan], async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(refused('not their values'));
        expect(await shop.count('letters')).toBe(2);
        expect(await shop.problems()).toEqual([
          expect.stringMatching(/^letters: .* give both columns the same type, or drop the key$/),
        ]);
      });
    });

  itOn('MariaDB')('is refused where the plan does not name the table that refers', async () => {
    const schema = schemaOf('TINYINT UNSIGNED', 'YEAR', 'CASCADE');
    const settings = [
      'controllers: [acme]',
      'cascades: [letters]',
      tables('{ table: people, match: { email: email } }'),
    ];
    await withTarget('MariaDB', schema, settings, async (shop) => {
      expect(await shop.problems()).toEqual([expect.stringContaining('not their values')]);
    });
  });

  itOn('MariaDB')('does no harm where rows are only retained', async () => {
    const schema = schemaOf('TINYINT UNSIGNED', 'YEAR', 'CASCADE');
    const settings = [
      'controllers: [acme]',
      tables('{ table: people, match: { email: email }, action: { retain: "tax law" } }'),
    ];
    await withTarget('MariaDB', schema, settings, async (shop) => {
      expect(await shop.problems()).toEqual([]);
    });
  });
});

describe('a foreign key between columns that differ in what they may hold only', () => {
  for (const [parent, child] of [
    ['INT UNSIGNED', 'INT(7) UNSIGNED ZEROFILL'],
    ['VARCHAR(20)', 'CHAR(10)'],
    ['CHAR(9) COLLATE utf8mb4_nopad_bin', 'CHAR(5) COLLATE utf8mb4_nopad_bin'],
    ['VARCHAR(9) COLLATE utf8mb4_nopad_bin', 'VARCHAR(5) COLLATE utf8mb4_nopad_bin'],
    ['VARBINARY(20)', 'BINARY(10)'],
    ['DECIMAL(6, 2)', 'DECIMAL(6, 2)'],
    ["ENUM('a', 'b')", "ENUM('a', 'b')"],
    ['DATETIME(6)', 'DATETIME(6)'],
    ['UUID', 'UUID'],
  ] as const)
    onServerOf(child)(`is accepted: ${child} that refers to ${parent}`, async () => {
      const schema = schemaOf(parent, child, 'SET NULL');
      await withTarget('MariaDB', schema, ['controllers: [acme]', plan], async (shop) => {
        expect(await shop.problems()).toEqual([]);
      });
    });
});

describe('a foreign key between CHAR and VARCHAR under the usual collations of MySQL', () => {
  const of = (type: string) => `${type} COLLATE utf8mb4_0900_ai_ci`;

  for (const [parent, child, jane, bob, bobs] of [
    ['VARCHAR(9)', 'CHAR(5)', 'bob  ', 'bob', 'bob'],
    ['CHAR(5)', 'VARCHAR(9)', 'al', 'robin', 'al   '],
  ] as const)
    for (const letters of [
      '{ table: letters, match: { email: writer } }',
      '{ table: letters, via: { people: { k: k } } }',
    ])
      itOnMysql(`is held for blanks: ${child} that refers to ${parent}, ${letters}`, async () => {
        const schema = `${schemaOf(of(parent), of(child), 'CASCADE')};
          INSERT INTO people VALUES ('${jane}', 'jane@x.org'), ('${bob}', 'bob@x.org');
          INSERT INTO letters VALUES (2, '${bobs}', 'bob@x.org')`;
        const all = tables(letters, '{ table: people, match: { email: email } }');
        await withTarget('MariaDB', schema, ['controllers: [acme]', all], async (shop) => {
          const request = await shop.request();
          expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
          expect(await shop.count('letters')).toBe(1);
          expect(await shop.count('people')).toBe(2);
          await shop.query('DELETE FROM letters');
          await shop.query("UPDATE people SET k = 'janes' WHERE email = 'jane@x.org'");
          await shop.release(request);
          expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
          expect(await shop.count('people')).toBe(1);
        });
      });

  itOnMysql(
    'is followed for texts as long as the CHAR, and for others without blanks',
    async () => {
      for (const [parent, child, jane] of [
        ['VARCHAR(9)', 'CHAR(5)', 'jan'],
        ['VARCHAR(36)', 'CHAR(36)', '018f8b1e-0000-7000-8000-000000000001'],
        ['CHAR(36)', 'VARCHAR(36)', '018f8b1e-0000-7000-8000-000000000001'],
      ] as const) {
        const schema = `${schemaOf(of(parent), of(child), 'CASCADE')};
        INSERT INTO people VALUES ('${jane}', 'jane@x.org'), ('robin', 'bob@x.org');
        INSERT INTO letters VALUES (1, '${jane}', 'jane@x.org'), (2, NULL, 'bob@x.org')`;
        const all = tables(
          '{ table: letters, via: { people: { k: k } } }',
          '{ table: people, match: { email: email } }',
        );
        await withTarget('MariaDB', schema, ['controllers: [acme]', all], async (shop) => {
          expect(await shop.problems()).toEqual([]);
          await shop.request();
          expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
          expect(await shop.count('people')).toBe(1);
          expect(await shop.count('letters')).toBe(1);
        });
      }
    },
  );
});
