// What a foreign key takes for equal is a reference, in whatever types and collations its two sides are.
import { describe, expect } from 'vitest';
import { held, itOn, type Kind, tables, withTarget } from '../misled-target.ts';

const O = '{ table: o, via: { c: { cid: id } } }';
const DELETED = '{ table: c, match: { email: email } }';
const OVERWRITTEN = '{ table: c, match: { email: email }, action: { overwrite: { email: null } } }';

interface Pair {
  readonly kind: Kind;
  readonly parent: string;
  readonly child: string;
  /** Of Jane's row, and of Bob's. */
  readonly ids: readonly [string, string];
  /** Further spellings of Jane's. */
  readonly spellings: readonly string[];
  readonly before?: string;
}

const text = (parent: string, child: string, spelling: string): Pair => ({
  kind: 'SQLite',
  parent,
  child,
  ids: ["'a'", "'b'"],
  spellings: [`'${spelling}'`],
});

const PAIRS: readonly Pair[] = [
  text('TEXT COLLATE nocase', 'TEXT', 'A'),
  text('TEXT COLLATE NoCase', 'TEXT COLLATE rtrim', 'A'),
  text('"TEXT" COLLATE "NOCASE"', 'VARCHAR(9)', 'A'),
  text('TEXT collate rtrim', 'TEXT', 'a  '),
  text('TEXT COLLATE RTRIM', 'TEXT COLLATE NOCASE', 'a '),
  {
    kind: 'SQLite',
    parent: 'INTEGER',
    child: 'TEXT',
    ids: ['1', '2'],
    spellings: ["'01'", "' 1'"],
  },
  { kind: 'SQLite', parent: 'INTEGER', child: '', ids: ['1', '2'], spellings: ["'01'", '1.0'] },
  { kind: 'SQLite', parent: 'TEXT', child: 'INT', ids: ["'1'", "'2'"], spellings: ["'1'"] },
  { kind: 'SQLite', parent: 'REAL', child: 'INT', ids: ['1.0', '2.0'], spellings: ["'1.0'"] },
  { kind: 'SQLite', parent: 'REAL', child: 'REAL', ids: ['0.1', '0.2'], spellings: ["'0.10'"] },
  { kind: 'SQLite', parent: 'NUMERIC', child: 'TEXT', ids: ['1.5', '2'], spellings: ["'1.50'"] },
  ...(
    [
      ['char(5)', 'varchar', "'ab '"],
      ['char(5)', 'text', "'ab  '"],
      ['char(5)', 'char(9)', "'ab '"],
      ['varchar(9)', 'text', "'ab'"],
      ['name', 'text', "'ab'"],
    ] as const
  ).map(
    ([parent, child, spelling]): Pair => ({
      kind: 'PostgreSQL',
      parent,
      child,
      ids: ["'ab'", "'x'"],
      spellings: [spelling],
    }),
  ),
  ...(
    [
      ['numeric', 'numeric(9,2)', ['1', '2'], ['1.00']],
      ['numeric', 'numeric', ["'NaN'", '2'], ["'NaN'"]],
      ['numeric', 'int', ['1.0', '2'], ['1']],
      ['float8', 'numeric', ['0.1', '2'], ['0.10', '0.100000000000000000001']],
      ['float8', 'real', ['0.5', '2'], ['0.5']],
      ['float8', 'float8', ['0', '2'], ["'-0'"]],
      ['date', 'timestamp', ["'2020-01-01'", "'2021-01-01'"], ["'2020-01-01 00:00'"]],
      ['timestamp', 'date', ["'2020-01-01'", "'2021-01-01'"], ["'2020-01-01'"]],
      ['timestamptz', 'timestamp', ["'2020-01-01'", "'2021-01-01'"], ["'2020-01-01'"]],
      ['timestamp(6)', 'timestamp(0)', ["'2020-01-01'", "'2021-01-01'"], ["'2020-01-01'"]],
      ['interval', 'interval', ["'1 day'", "'2 days'"], ["'24 hours'"]],
      ['jsonb', 'jsonb', ["'1'", "'2'"], ["'1.0'"]],
    ] as const
  ).map(
    ([parent, child, ids, spellings]): Pair => ({
      kind: 'PostgreSQL',
      parent,
      child,
      ids,
      spellings,
    }),
  ),
  {
    kind: 'PostgreSQL',
    parent: 'char(3)',
    child: 'strict',
    ids: ["'ok'", "'sad'"],
    spellings: ["'ok '"],
    before: `CREATE DOMAIN strict AS varchar CHECK (VALUE <> 'sad');`,
  },
  {
    kind: 'PostgreSQL',
    parent: 'text COLLATE loose',
    child: 'text COLLATE loose',
    ids: ["'ab'", "'x'"],
    spellings: ["'AB'"],
    before: `CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);`,
  },
  {
    kind: 'PostgreSQL',
    parent: 'text COLLATE "C"',
    child: 'text',
    ids: ["'ab'", "'x'"],
    spellings: ["'ab'"],
  },
  ...(
    [
      ['CHAR(5)', 'VARCHAR(9)', "'AB '"],
      ['VARCHAR(9)', 'CHAR(5)', "'Ab'"],
    ] as const
  ).map(
    ([parent, child, spelling]): Pair => ({
      kind: 'MariaDB',
      // MySQL's own collations do not take blanks at the end for nothing.
      parent: `${parent} COLLATE utf8mb4_general_ci`,
      child: `${child} COLLATE utf8mb4_general_ci`,
      ids: ["'ab'", "'x'"],
      spellings: [spelling],
    }),
  ),
];

const nameOf = ({ kind, parent, child }: Pair) => `${kind}, ${parent} and ${child || 'no type'}`;
const KEY = 'FOREIGN KEY (cid) REFERENCES c (id)';

const schemaOf = ({ parent, child, ids, spellings, before = '' }: Pair, key: string) =>
  `${before} CREATE TABLE c (id ${parent} PRIMARY KEY NOT NULL, email VARCHAR(99));
  CREATE TABLE o (no INT PRIMARY KEY, cid ${child}${key === '' ? '' : `, ${key}`});
  INSERT INTO c VALUES (${ids[0]}, 'jane@x.org'), (${ids[1]}, 'bob@x.org');
  INSERT INTO o VALUES (0, NULL), ${[ids[0], ...spellings].map((one, at) => `(${at + 1}, ${one})`).join(', ')}`;

describe.each(PAIRS.map((pair) => [nameOf(pair), pair] as const))('%s', (_, pair) => {
  for (const [parent, entry] of [
    ['overwritten', OVERWRITTEN],
    ['deleted', DELETED],
  ] as const)
    itOn(pair.kind)(`children go with a parent that is ${parent}`, () =>
      withTarget(
        pair.kind,
        schemaOf(pair, KEY),
        ['tenancy: none', tables(O, entry)],
        async (shop) => {
          expect(await shop.problems()).toEqual([]);
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.count('o')).toBe(1);
          expect((await shop.evidenceOf(request))?.tables?.o?.rows).toBe(pair.spellings.length + 1);
        },
      ),
    );

  for (const [way, key] of [
    ['by a statement', KEY],
    ['by the key', `${KEY} ON DELETE SET NULL`],
    ['in place of a cascade', `${KEY} ON DELETE CASCADE`],
  ] as const)
    itOn(pair.kind)(`references are detached ${way}`, () =>
      withTarget(
        pair.kind,
        schemaOf(pair, key),
        ['tenancy: none', tables(DELETED), 'detach: [o.cid]'],
        async (shop) => {
          expect(await shop.problems()).toEqual([]);
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.count('o WHERE cid IS NULL')).toBe(pair.spellings.length + 2);
          expect((await shop.evidenceOf(request))?.tables?.o?.detached).toBe(
            pair.spellings.length + 1,
          );
        },
      ),
    );
});

/** Pairs in which a person names what belongs to several. */
const REVERSED = PAIRS.filter(({ ids, spellings }) => spellings[0] !== ids[0]);

describe.each(REVERSED.map((pair) => [nameOf(pair), pair] as const))(
  'a household that its members name: %s',
  (_, { kind, parent, child, ids, spellings, before = '' }) => {
    const schema = `${before} CREATE TABLE h (id ${parent} PRIMARY KEY NOT NULL, address VARCHAR(9));
      CREATE TABLE m (no INT PRIMARY KEY, hid ${child}, email VARCHAR(99), FOREIGN KEY (hid) REFERENCES h (id));
      INSERT INTO h VALUES (${ids[0]}, 'a'), (${ids[1]}, 'b');`;
    const settings = [
      'tenancy: none',
      tables(
        '{ table: m, match: { email: email } }',
        '{ table: h, via: { m: { id: hid } }, shared: keep }',
      ),
    ];
    itOn(kind)('stays while another member is left, however they write it', () =>
      withTarget(
        kind,
        `${schema} INSERT INTO m VALUES (1, ${spellings[0]}, 'jane@x.org'), (2, ${ids[0]}, 'bob@x.org')`,
        settings,
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.count('h')).toBe(2);
          expect((await shop.evidenceOf(request))?.tables?.h?.shared_kept).toBe(1);
        },
      ),
    );

    itOn(kind)('goes with the last one', () =>
      withTarget(
        kind,
        `${schema} INSERT INTO m VALUES (1, ${spellings[0]}, 'jane@x.org'), (2, ${ids[0]}, 'jane@x.org')`,
        settings,
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.count('h')).toBe(1);
        },
      ),
    );
  },
);

describe('without a foreign key', () => {
  const PLANS = ['tenancy: none', tables(O, OVERWRITTEN)];
  for (const pair of PAIRS.filter(
    ({ kind, parent }) => kind === 'SQLite' && /collate/i.test(parent),
  ))
    itOn('SQLite')(`${nameOf(pair)}: another spelling is held`, () =>
      withTarget('SQLite', schemaOf(pair, ''), PLANS, async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
      }),
    );

  for (const collation of ['nocase', 'rtrim'])
    itOn('SQLite')(`a child COLLATE ${collation}: another spelling is held`, () => {
      const pair = text('TEXT', `TEXT COLLATE ${collation}`, collation === 'rtrim' ? 'a ' : 'A');
      return withTarget('SQLite', schemaOf(pair, ''), PLANS, async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
      });
    });

  for (const [parent, child] of [
    ['char(5)', 'varchar'],
    ['varchar', 'char(5)'],
  ] as const)
    itOn('PostgreSQL')(`${child} and ${parent}: blanks that the database ignores`, () =>
      withTarget(
        'PostgreSQL',
        `CREATE TABLE c (id ${parent} PRIMARY KEY, email text); CREATE TABLE o (no int PRIMARY KEY, cid ${child});
        INSERT INTO c VALUES ('${parent === 'varchar' ? 'ab ' : 'ab'}', 'jane@x.org'); INSERT INTO o VALUES (1, 'ab ')`,
        PLANS,
        async (shop) => {
          await shop.request();
          expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
        },
      ),
    );

  itOn('PostgreSQL')('a domain over an enumeration is compared with it', () =>
    withTarget(
      'PostgreSQL',
      `CREATE TYPE mood AS ENUM ('ok', 'sad', 'OK'); CREATE DOMAIN strict AS mood CHECK (VALUE <> 'sad');
      CREATE TABLE c (id mood PRIMARY KEY, email text); CREATE TABLE o (no int PRIMARY KEY, cid strict);
      INSERT INTO c VALUES ('ok', 'jane@x.org'), ('sad', 'jane@x.org'), ('OK', 'bob@x.org');
      INSERT INTO o VALUES (1, 'ok'), (2, 'OK')`,
      PLANS,
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count('o')).toBe(1);
      },
    ),
  );
});

itOn('SQLite')('a collation that only the application knows is refused by its name', () =>
  withTarget(
    'SQLite',
    `CREATE TABLE c (id TEXT COLLATE nocase PRIMARY KEY, email TEXT); INSERT INTO c VALUES ('a', 'jane@x.org');
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'nocase', 'phonebook') WHERE name = 'c';
    PRAGMA writable_schema = RESET`,
    ['tenancy: none', tables(DELETED)],
    async (shop) => {
      expect(await shop.problems()).toEqual([expect.stringContaining('collation phonebook')]);
      await shop.request();
      expect((await shop.run()).down).toContain('collation phonebook');
    },
  ),
);

itOn('SQLite')('a composite key of which one side ignores case, in a table with "where"', () =>
  withTarget(
    'SQLite',
    `CREATE TABLE c (id INTEGER PRIMARY KEY, a TEXT, no INT, email TEXT, UNIQUE (a, no));
    CREATE TABLE o (id INT, a TEXT COLLATE NOCASE, cno INT, n INT, FOREIGN KEY (a, cno) REFERENCES c (a, no));
    INSERT INTO c VALUES (1, 'x', 1, 'jane@x.org'), (2, 'x', 2, 'bob@x.org');
    INSERT INTO o VALUES (1, 'x', 1, NULL), (2, 'x', 1, 0), (3, 'x', 2, 0), (4, 'x', NULL, 0)`,
    [
      'tenancy: none',
      tables(
        '{ table: o, where: { n: [0, null] }, via: { c: { a: a, cno: no } } }',
        '{ table: c, match: { email: email } }',
      ),
    ],
    async (shop) => {
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.count('o')).toBe(2);
    },
  ),
);
