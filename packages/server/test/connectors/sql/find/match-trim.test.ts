// Identities that are stored with blanks around them.
import { describe, expect, it } from 'vitest';
import { BLANKS } from '../../../../src/connectors/sql/blanks.ts';
import type { MatchConfig } from '../../../../src/domain/target/target.ts';
import { aSubject, aTable, customerId } from '../sql-target.ts';
import { eraseWhole, JANE, JOE, onEverySqlDatabase } from '../use-sql-target.ts';

const trimmed = (type: MatchConfig['type']) =>
  aTable('people', { match: [{ type, column: 'v', trim: true }] });

describe('blanks', () => {
  it('are what JavaScript trims, and nothing else', () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    expect(all.filter((character) => character.trim() === '').sort()).toEqual([...BLANKS].sort());
  });
});

await onEverySqlDatabase('trim', ({ connector, database, query, open, ids }) => {
  const insert = (id: number, value: string) =>
    database().query(
      connector === 'postgres'
        ? 'INSERT INTO people VALUES ($1, $2)'
        : 'INSERT INTO people VALUES (?, ?)',
      [id, value],
    );
  const columns = {
    sqlite: ['TEXT', 'TEXT COLLATE NOCASE', ''],
    postgres: ['text', 'varchar(200)', 'text COLLATE "C"'],
    mysql: [
      'varchar(200)',
      'text',
      'varchar(200) COLLATE utf8mb4_bin',
      'varchar(200) CHARACTER SET utf16',
      'varchar(200) COLLATE utf8mb4_turkish_ci',
    ],
  }[connector];

  it.each(columns)('ignores blanks around an email, of every kind (%s)', async (type) => {
    await query(`CREATE TABLE people (id INTEGER PRIMARY KEY, v ${type})`);
    const around = [...BLANKS].flatMap((blank) => [`${blank}${JANE}`, `${JANE}${blank}`]);
    const found = [JANE, ` ${JANE.toUpperCase()} `, ...around, `${BLANKS}${JANE}${BLANKS}`];
    const others = [`a ${JANE}`, 'jane @example.com', `\u200b${JANE}`, ` ${JOE}`, ' ', ''];
    for (const [id, value] of [...found, ...others].entries()) await insert(id, value);
    await eraseWhole(open([trimmed('email')]));
    expect(await ids('people')).toEqual(others.map((_, place) => found.length + place));
  });

  it('ignores blanks around a customer id, and compares the rest exactly', async () => {
    await query('CREATE TABLE people (id INTEGER PRIMARY KEY, v VARCHAR(40))');
    const values = ['abc', ' abc\n', 'ABC', 'abc d', ' 0abc', '\u00a0abc'];
    for (const [id, value] of values.entries()) await insert(id, value);
    await eraseWhole(open([trimmed('controller_customer_id')]), aSubject(1, [customerId('abc')]));
    expect(await ids('people')).toEqual([2, 3, 4]);
  });

  it('does not ignore blanks without `trim`', async () => {
    await query('CREATE TABLE people (id INTEGER PRIMARY KEY, v VARCHAR(200))');
    await insert(1, ` ${JANE}`);
    await insert(2, JANE);
    await eraseWhole(open([aTable('people', { match: { email: 'v' } })]));
    expect(await ids('people')).toEqual([1]);
  });
});
