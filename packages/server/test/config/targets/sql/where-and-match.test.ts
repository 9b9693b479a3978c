// `where`, tables that are listed several times, and `match` beyond the name of a column.
import { describe, expect, it } from 'vitest';
import type { TablesWork } from '../../../../src/domain/target/target.ts';
import { sqlTarget, TABLE, useWrittenTargets } from '../written-targets.ts';

const { one, problemsOf } = useWrittenTargets();

type Entry = Readonly<Record<string, unknown>>;
const CHILD = { table: 'attachments', via: { customers: { record_id: 'id' } } };
const entries = (...where: unknown[]) => where.map((one) => ({ ...CHILD, where: one }));

function tablesOf(...tables: Entry[]) {
  return (one<'postgres'>(sqlTarget({ tables })).work as TablesWork).tables;
}

function problems(...tables: Entry[]): string[] {
  return problemsOf({ shop: sqlTarget({ tables }) });
}

describe('where', () => {
  it('is values by column, one or several', () => {
    const where = { record_type: 'User', state: [1, null, true] };
    expect(tablesOf({ ...CHILD, where }, TABLE)[0]).toMatchObject({
      where: { record_type: ['User'], state: [1, null, true] },
    });
  });

  it('may leave out values, and what one entry leaves out another may be about', () => {
    const tables = tablesOf(...entries({ user_id: 0 }, { user_id: { not: [0] } }), TABLE);
    expect(tables.map(({ table, name }) => name ?? table)).toEqual([
      'attachments (user_id: 0)',
      'attachments (user_id: not 0)',
      'customers',
    ]);
    expect(tables[1]).toMatchObject({ where: { user_id: { not: [0] } } });
  });

  it.each([
    ['leaves out another value', { user_id: { not: 1 } }, /may fit one row/],
    ['leaves out the value in another case only', { user_id: { not: 'A' } }, /may fit one row/],
    ['leaves out nothing', { user_id: { not: [] } }, /not: must have a value/],
    ['has another word', { user_id: { but: 1 } }, /but: is not/],
  ])('is refused if it %s', (_, where, message) => {
    const [first] = problems(...entries({ user_id: ['a', 0] }, where), TABLE);
    expect(first).toMatch(message);
  });

  describe('by a row to which a column refers', () => {
    const EMAIL = { key_id: { in: 'attribute_keys', name: 'email' } };

    it('is the table, its column and the values, and may leave out values', () => {
      const tables = tablesOf(
        ...entries(EMAIL, { key_id: { in: 'attribute_keys', name: { not: ['email'] } } }),
        TABLE,
      );
      expect(tables.map(({ name }) => name)).toEqual([
        'attachments (key_id: email)',
        'attachments (key_id: not email)',
        undefined,
      ]);
      expect(tables[1]).toMatchObject({
        where: { key_id: { not: ['email'] } },
        whereBy: { key_id: { table: 'attribute_keys', column: 'name' } },
      });
    });

    it.each([
      ['names no column', { key_id: { in: 'keys' } }, /key_id: must have \{ in: <table>/],
      ['names two', { key_id: { in: 'keys', a: 1, b: 2 } }, /and one column of it/],
      ['names no table', { key_id: { in: null, name: 'email' } }, /key_id\.in: /],
      ['is compared directly in another entry', { key_id: 5 }, /must name the same table/],
      ['has the value of another entry', EMAIL, /may fit one row/],
    ])('is refused if it %s', (_, where, message) => {
      const first = problems(...entries(EMAIL, where), TABLE);
      expect(first).toContainEqual(expect.stringMatching(message));
    });

    it('cannot be of a column that is overwritten, nor of "resolve"', () => {
      const action = { overwrite: { key_id: null } };
      expect(problems({ ...CHILD, where: EMAIL, action }, TABLE)).toEqual([
        expect.stringMatching(/overwrite\.key_id: refers to the row by which "where" tells rows/),
      ]);
      const ends = { from: { email: 'a' }, to: { email: 'b' } };
      const resolve = { table: 'users', where: EMAIL, ...ends };
      expect(problemsOf({ shop: sqlTarget({ tables: [TABLE], resolve }) })).not.toEqual([]);
    });
  });

  it('gives each entry of a table that is listed several times a name', () => {
    const tables = tablesOf(
      ...entries({ record_type: 'User' }, { record_type: ['Order', 'a, b', null], state: 1 }),
      TABLE,
    );
    expect(tables.map(({ table, name }) => name ?? table)).toEqual([
      'attachments (record_type: User)',
      'attachments (record_type: Order, "a, b", null; state: 1)',
      'customers',
    ]);
    expect(tablesOf(...entries({ record_type: 'User' }), TABLE)[0]).not.toHaveProperty('name');
  });

  it.each<[string, unknown, unknown]>([
    ['the same value', 'User', 'User'],
    ['one value in two lists', ['User', 'Order'], ['Note', 'Order']],
    ['another case', 'User', 'USER'],
    ['an accent', 'User', 'Usér'],
    ['a blank behind it', 'User', 'User '],
    ['a number and its text', 1, '1.0'],
    ['a truth and its number', true, 1],
    ['a sharp s', 'Straße', 'STRASSE'],
  ])('may not overlap: %s', (_, a, b) => {
    expect(problems(...entries({ record_type: a }, { record_type: b }), TABLE)).toEqual([
      expect.stringMatching(
        /tables\[1\]\.where: and that of tables\[0\], .* may fit one row; name/,
      ),
    ]);
  });

  it('may not overlap by columns that only one of them names', () => {
    expect(problems(...entries({ record_type: 'User' }, { state: 1 }), TABLE)).toHaveLength(1);
    const where = [
      { record_type: 'User', state: 1 },
      { record_type: 'User', state: 2 },
    ];
    expect(tablesOf(...entries(...where), TABLE)).toHaveLength(3);
  });

  it('is required if a table is listed twice', () => {
    expect(problems(CHILD, ...entries({ record_type: 'User' }), TABLE)).toEqual([
      expect.stringMatching(
        /tables\[1\]\.where: is in tables\[0\] already; keep one, or give each a "where"/,
      ),
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ['nothing', {}, /where: must have \{ <column>: <value> \}/],
    ['an empty list', { state: [] }, /where\.state: must have a value/],
    ['a list in a list', { state: [[1]] }, /where\.state: must be a string, a number, true, false/],
    ['a text', 'state', /where: must be an object/],
  ])('refuses %s', (_, where, message) => {
    expect(problems({ ...CHILD, where }, TABLE)).toEqual([expect.stringMatching(message)]);
  });

  it('needs one key and one tenant column a table', () => {
    const [first = {}, second = {}] = entries({ record_type: 'User' }, { record_type: 'Order' });
    expect(problems({ ...first, key: 'a' }, { ...second, tenant_column: 'b' }, TABLE)).toEqual([
      expect.stringMatching(/tables\[1\]\.key: must be the same as in tables\[0\]/),
      expect.stringMatching(/tables\[1\]\.tenant_column: must be the same as in tables\[0\]/),
    ]);
  });

  it('still refuses a reference to the table itself, and circles by any of the entries', () => {
    const [first = {}] = entries({ record_type: 'User' });
    const self = { ...first, where: { record_type: 'Reply' }, via: { attachments: { of: 'id' } } };
    expect(problems(first, self, TABLE)).toEqual([
      expect.stringMatching(/tables\[1\]\.via: names the table itself/),
    ]);
    const other = { ...first, where: { record_type: 'Note' }, via: { notes: { record_id: 'id' } } };
    const notes = { table: 'notes', via: { attachments: { attachment_id: 'id' } } };
    expect(problems(first, other, notes, TABLE)).toEqual([
      expect.stringMatching(
        /goes in a circle.*or name the entries of attachments that are meant in "via": "attachments \(record_type: User\)", "attachments \(record_type: Note\)"/,
      ),
    ]);
  });

  it('can be referred to by the name of one of its entries', () => {
    const [first = {}] = entries({ record_type: 'User' });
    const other = { ...first, where: { record_type: 'Note' }, via: { notes: { record_id: 'id' } } };
    const notesOf = (entry: string) => ({ table: 'notes', via: { [entry]: { at: 'id' } } });
    const named = notesOf('attachments (record_type: User)');
    expect(one(sqlTarget({ tables: [first, other, named, TABLE] }))).toMatchObject({
      work: {
        tables: [
          { table: 'attachments' },
          { table: 'attachments' },
          { via: [{ parent: 'attachments', entries: ['attachments (record_type: User)'] }] },
          {},
        ],
      },
    });
    expect(problems(first, other, notesOf('attachments (record_type: Users)'), TABLE)).toEqual([
      expect.stringMatching(
        /is not an entry of attachments; it has "attachments \(record_type: User\)", "attachments \(record_type: Note\)"/,
      ),
    ]);
    expect(problems(first, notesOf('attachments (record_type: User)'), TABLE)).toEqual([
      expect.stringMatching(
        /is not an entry of attachments, which is listed once; write "attachments"/,
      ),
    ]);
    const self = { ...other, via: { 'attachments (record_type: User)': { of: 'id' } } };
    expect(problems(first, self, TABLE)).toEqual([expect.stringMatching(/names the table itself/)]);
  });

  it('is part of the digests', () => {
    const plan = (where: unknown) =>
      one(sqlTarget({ tables: [...entries(where), TABLE] })).planDigest;
    expect(plan({ record_type: 'User' })).not.toBe(plan({ record_type: 'Order' }));
  });
});

describe('match', () => {
  it('takes columns, places in JSON, and values with blanks around them', () => {
    const match = {
      email: ['email', { column: 'data', path: '$.contact.email' }, { column: 'mail', trim: true }],
      controller_customer_id: { column: 'data', path: '$.ids[0]', trim: true },
    };
    expect(tablesOf({ ...TABLE, match })[0]).toMatchObject({
      match: [
        { type: 'controller_customer_id', column: 'data', path: ['ids', 0], trim: true },
        { type: 'email', column: 'email' },
        { type: 'email', column: 'data', path: ['contact', 'email'] },
        { type: 'email', column: 'mail', trim: true },
      ].sort((a, b) => (a.type === b.type ? 0 : a.type === 'email' ? -1 : 1)),
    });
  });

  it('means the same with an object that only names the column', () => {
    const plain = one(sqlTarget({ tables: [TABLE] }));
    const written = { ...TABLE, match: { email: { column: 'email', trim: false } } };
    expect(one(sqlTarget({ tables: [written] })).digest).toBe(plain.digest);
  });

  it.each<[string, unknown, RegExp]>([
    ['no column', { path: '$.a' }, /match\.email\.column: is missing/],
    [
      'a path that is none',
      { column: 'a', path: 'a.b' },
      /match\.email\.path: must begin with "\$"/,
    ],
    ['a path with a wildcard', { column: 'a', path: '$.*' }, /path: cannot be read from "\.\*" on/],
    [
      'trim that is neither true nor false',
      { column: 'a', trim: 'both' },
      /trim: must be true or false/,
    ],
    ['another field', { column: 'a', lower: true }, /match\.email\.lower: is not a setting/],
    ['nothing', [], /match\.email: must name a column/],
    [
      'one place twice',
      ['a', { column: 'a', trim: true }],
      /match\.email: has the same column twice/,
    ],
    [
      'a mistake in a list',
      ['a', { column: 'b', path: '$' }],
      /match\.email\[1\]\.path: names the whole value/,
    ],
  ])('refuses %s', (_, email, message) => {
    expect(problems({ ...TABLE, match: { email } })).toEqual([expect.stringMatching(message)]);
  });

  it.each<[string, unknown, unknown]>([
    ['another path', { column: 'a', path: '$.b' }, { column: 'a', path: '$.c' }],
    ['trim', 'a', { column: 'a', trim: true }],
  ])('changes the digest of the plan with %s', (_, a, b) => {
    const plan = (email: unknown) =>
      one(sqlTarget({ tables: [{ ...TABLE, match: { email } }] })).planDigest;
    expect(plan(a)).not.toBe(plan(b));
  });
});
