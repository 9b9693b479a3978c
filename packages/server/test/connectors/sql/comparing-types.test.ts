// Both sides of a reference are compared under one rule, whatever the database's operators make of them.
import { describe, expect, it } from 'vitest';
import type { SqlConnector } from '../../../src/domain/target/target.ts';
import { hasMysql } from '../../helpers/databases/fresh-mariadb.ts';
import { aSubject, aTable, customerId, email } from './sql-target.ts';
import {
  eraseWhole,
  JANE,
  JOE,
  onEverySqlDatabase,
  previewOf,
  type SqlTargetInUse,
  via,
} from './use-sql-target.ts';

const PEOPLE = aTable('people', { match: { email: 'email' } });
const NOTES = aTable('notes', { via: [via('people', { person: 'id' })] });
const LOW = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
const OTHER = 'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';

/** People with these keys, Jane's first, and notes that refer by these values, 1 and on. */
async function fill(
  { query }: SqlTargetInUse,
  [parent, child]: readonly [string, string],
  people: readonly [string, string],
  notes: readonly string[],
): Promise<void> {
  await query(`
    CREATE TABLE people (id ${parent} PRIMARY KEY, email VARCHAR(200));
    CREATE TABLE notes (id INTEGER PRIMARY KEY, person ${child});
    INSERT INTO people VALUES (${people[0]}, '${JANE}'), (${people[1]}, '${JOE}');
    INSERT INTO notes VALUES ${notes.map((note, n) => `(${n + 1}, ${note})`).join(', ')}`);
}

await onEverySqlDatabase('references between types', (target) => {
  const { open, ids } = target;

  describe.each<[string, readonly [string, string], (value: string) => string]>([
    ['text to a number', ['INTEGER', 'VARCHAR(40)'], (value) => `'${value}'`],
    ['text to a decimal', ['DECIMAL(12, 0)', 'VARCHAR(40)'], (value) => `'${value}'`],
  ])('%s', (_, types, child) => {
    it('compare by the canonical decimal', async () => {
      await fill(target, types, ['123', '124'], ['123', '124', '1230', 'x'].map(child));
      const { erasures } = await eraseWhole(open([NOTES, PEOPLE]));
      expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 1, notes: 1 } }]);
      expect(await ids('notes')).toEqual([2, 3, 4]);
    });

    it('are held if the database would treat another spelling as equal', async () => {
      await fill(target, types, ['123', '124'], ['00123', '124'].map(child));
      expect(await previewOf(open([NOTES, PEOPLE]))).toMatchObject({
        outcome: 'held',
        reason: 'ambiguous_reference',
        detail: expect.stringContaining('notes'),
      });
    });
  });

  it('numbers to text compare by the canonical decimal, and other spellings are held', async () => {
    const text = 'VARCHAR(40)';
    await fill(target, [text, 'INTEGER'], ["'123'", "'0124'"], ['123', '124']);
    await eraseWhole(open([NOTES, PEOPLE]));
    expect(await ids('notes')).toEqual([2]);
    await target.query(`UPDATE people SET email = '${JANE}'`);
    expect(await previewOf(open([NOTES, PEOPLE]))).toMatchObject({
      outcome: 'held',
      reason: 'ambiguous_reference',
    });
  });

  describe.runIf(target.connector === 'sqlite')('where SQLite makes a text of a number', () => {
    it('rows without a column type are found as SQLite joins them, by a foreign key', async () => {
      const types = ['TEXT', 'REFERENCES people (id)'] as const;
      await fill(target, types, ["'1'", "'1.5'"], ["'1'", '1', '1.5']);
      const { erasures } = await eraseWhole(open([NOTES, PEOPLE]));
      expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 1, notes: 2 } }]);
      expect(await ids('notes')).toEqual([3]);
      await eraseWhole(open([NOTES, PEOPLE]), aSubject(1, [email(JOE)]));
      expect(await ids('notes')).toEqual([]);
    });

    it.each([
      ['TEXT', ''],
      ['', 'TEXT'],
    ] as const)(
      'a column of type "%s" and one of type "%s" are refused without one',
      async (...types) => {
        await fill(target, types, ["'1'", "'2'"], ["'1'"]);
        await expect(previewOf(open([NOTES, PEOPLE]))).rejects.toMatchObject({
          code: 'target_refused',
          message: expect.stringContaining('no type'),
        });
      },
    );

    it('rows of two columns without a type are found by the same value', async () => {
      await fill(target, ['', ''], ["'1'", '1'], ['1', "'1'"]);
      await eraseWhole(open([NOTES, PEOPLE]));
      expect(await ids('notes')).toEqual([1]);
    });
  });

  it('integers of different sizes compare by value', async () => {
    await fill(target, ['BIGINT', 'SMALLINT'], ['70', '80'], ['70', '80', 'NULL']);
    await eraseWhole(open([NOTES, PEOPLE]));
    expect(await ids('notes')).toEqual([2, 3]);
  });
});

await onEverySqlDatabase(
  'UUIDs',
  (target) => {
    const { open, ids } = target;

    it.each<[string, readonly [string, string]]>([
      ['in a column of text', ['UUID', 'VARCHAR(40)']],
      ['to a column of text', ['VARCHAR(40)', 'UUID']],
    ])('compare as UUIDs, however they are written: %s', async (_, types) => {
      const [parent, child] =
        types[0] === 'UUID'
          ? [
              [LOW, OTHER],
              [LOW.toUpperCase(), OTHER],
            ]
          : [
              [LOW.toUpperCase(), OTHER],
              [LOW, OTHER],
            ];
      const quoted = (values: readonly string[]) => values.map((value) => `'${value}'`);
      const [first = '', second = ''] = quoted(parent ?? []);
      await fill(target, types, [first, second], quoted(child ?? []));
      const { erasures } = await eraseWhole(open([NOTES, PEOPLE]));
      expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 1, notes: 1 } }]);
      expect(await ids('notes')).toEqual([2]);
    });

    it('UUIDs of a request also match in capitals', async () => {
      await fill(target, ['UUID', 'UUID'], [`'${LOW}'`, `'${OTHER}'`], [`'${LOW}'`]);
      const people = aTable('people', { match: { controller_customer_id: 'id' } });
      const who = aSubject(1, [customerId(LOW.toUpperCase())]);
      await eraseWhole(open([NOTES, people]), who);
      expect(await ids('notes')).toEqual([]);
      expect(await target.query('SELECT email FROM people')).toEqual([{ email: JOE }]);
    });
  },
  // MySQL has no such type.
  (await hasMysql()) ? ['postgres'] : ['postgres', 'mysql'],
);

const DAY: Record<SqlConnector, string> = { postgres: 'DATE', mysql: 'DATE', sqlite: 'BLOB' };

await onEverySqlDatabase('types that no rule compares', (target) => {
  it('are refused with both columns and their types', async () => {
    const { query, open, connector } = target;
    await query(`
      CREATE TABLE people (id INTEGER PRIMARY KEY, born ${DAY[connector]}, email VARCHAR(200));
      CREATE TABLE notes (id INTEGER PRIMARY KEY, born INTEGER)`);
    const notes = aTable('notes', { via: [via('people', { born: 'born' })] });
    await expect(previewOf(open([notes, PEOPLE]))).rejects.toMatchObject({
      code: 'target_refused',
      message: expect.stringMatching(/notes\.born .*people\.born .*cannot be compared/),
    });
  });
});

await onEverySqlDatabase(
  'numbers with zeros in front',
  ({ query, open, ids }) => {
    it('are found as they are shown, and as they are', async () => {
      await query(`
        CREATE TABLE people (id INTEGER PRIMARY KEY, no INT(5) UNSIGNED ZEROFILL);
        INSERT INTO people VALUES (1, 42), (2, 43), (3, 44), (4, 123456)`);
      const table = aTable('people', { match: { controller_customer_id: 'no' } });
      for (const no of ['00042', '43', '044', '123456'])
        await eraseWhole(open([table]), aSubject(1, [customerId(no)]));
      expect(await ids('people')).toEqual([3]);
    });
  },
  ['mysql'],
);
