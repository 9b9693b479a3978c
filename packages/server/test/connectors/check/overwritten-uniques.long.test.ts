// What would make overwritten rows equal where they have to differ, and types that take only some values.
import { expect, it } from 'vitest';
import type { Overwrite, SqlConnector } from '../../../src/domain/target/target.ts';
import { table, tables, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const value = (given: string | number | boolean): Overwrite => ({ kind: 'value', value: given });
const NOTHING: Overwrite = { kind: 'null' };
const HASH: Overwrite = { kind: 'hash' };
const NOW: Overwrite = { kind: 'now' };
const UNIQUE: Overwrite = { kind: 'unique', text: 'erased-{random}' };
const JSON_CHANGE: Overwrite = { kind: 'json', changes: { '$.a': { kind: 'remove' } } };

const SCHEMA: Record<SqlConnector, string> = {
  sqlite: `CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT, login TEXT NOT NULL, nick TEXT,
      state TEXT, seen DATETIME, count INTEGER, data JSON, low TEXT AS (lower(nick)), a TEXT, b TEXT);
    CREATE UNIQUE INDEX live ON people (email) WHERE state <> 'gone';
    CREATE UNIQUE INDEX logins ON people (lower(login));
    CREATE UNIQUE INDEX filled ON people (coalesce("a", ''));
    CREATE UNIQUE INDEX lows ON people (low)`,
  postgres: `CREATE EXTENSION btree_gist; CREATE DOMAIN short AS varchar(20) NOT NULL;
    CREATE DOMAIN moment AS timestamptz;
    CREATE TABLE people (id int PRIMARY KEY, email text, login text NOT NULL, nick text,
      state text, seen moment, count int, data jsonb, low text GENERATED ALWAYS AS (lower(nick)) STORED,
      a text, b short, c text, no int GENERATED ALWAYS AS IDENTITY,
      EXCLUDE USING gist (c WITH =));
    CREATE UNIQUE INDEX live ON people (email) WHERE state <> 'gone';
    CREATE UNIQUE INDEX logins ON people (lower(login));
    CREATE UNIQUE INDEX filled ON people (coalesce(a, ''));
    CREATE UNIQUE INDEX lows ON people (low)`,
  mysql: `CREATE TABLE people (id int PRIMARY KEY, email varchar(90), login varchar(90) NOT NULL, nick varchar(90),
      state varchar(9), seen datetime, count int unsigned, data json, low varchar(90) AS (lower(nick)),
      a varchar(90), b varchar(20), tiny tinytext, old varchar(90) CHARACTER SET latin1, kind enum('a', 'it''s'), kinds set('x', 'y'),
      UNIQUE logins (login(10)), UNIQUE lows (low))`,
};

await onEachDatabase(
  'the check of overwritten columns',
  (connector) => SCHEMA[connector],
  ({ check, connector }) => {
    const lines = async (columns: Record<string, Overwrite>) =>
      written(
        await check({
          work: tables([table('people', { action: { kind: 'overwrite', columns } })]),
        }),
        'problem',
        'warning',
      ).filter((line) => line.includes(' people: ') && !line.includes('no index'));

    it('accepts values that differ in each row, or take rows out of the index', async () => {
      expect(
        await lines({
          email: UNIQUE,
          login: connector === 'mysql' ? value('x') : UNIQUE,
          nick: NOTHING,
          seen: NOW,
          data: JSON_CHANGE,
        }),
      ).toEqual(connector === 'mysql' ? [expect.stringContaining('"login" is unique')] : []);
      expect(await lines({ email: NOTHING, nick: HASH })).toEqual([]);
    });

    it.skipIf(connector === 'mysql')(
      'refuses one value for all where an index covers some rows',
      async () => {
        expect(await lines({ email: value('x') })).toEqual([
          'problem people: "email" is unique by the index live, so the same value fits one row only; write email: { unique: "erased-{random}@example.invalid" } or null or a hash instead',
        ]);
      },
    );

    it.skipIf(connector === 'mysql')('recognises an index on an expression', async () => {
      expect(await lines({ login: value('x') })).toEqual([
        'problem people: "login" is unique by the index logins, so the same value fits one row only; write login: { unique: "erased-{random}" } or a hash instead',
      ]);
      expect(await lines({ a: UNIQUE })).toEqual([]);
    });

    it('knows the expression of a generated column', async () => {
      expect(await lines({ nick: value('x') })).toEqual([
        expect.stringContaining('"nick" is unique by the index lows'),
      ]);
      expect(await lines({ low: NOTHING })).toEqual([
        expect.stringContaining('"low" is computed by the database'),
      ]);
    });

    it('refuses values that a type does not accept', async () => {
      expect(await lines({ count: NOW })).toEqual([
        expect.stringMatching(/^problem people: "count" is int.*seconds, milliseconds or days/i),
      ]);
      expect(await lines({ count: UNIQUE })).toEqual([expect.stringContaining('"count" is')]);
      expect(await lines({ count: JSON_CHANGE })).toEqual([
        expect.stringContaining('holds no JSON'),
      ]);
      const text = await lines({ state: NOW });
      expect(text.some((line) => line.includes('"state" is'))).toBe(connector !== 'sqlite');
    });

    it.skipIf(connector === 'sqlite')('refuses a unique text that is too long', async () => {
      expect(await lines({ b: UNIQUE })).toEqual([
        'problem people: "b" holds 20 characters, and the text needs 39, as {random} becomes 32; shorten the text, widen the column, or overwrite it with null',
      ]);
    });

    it.skipIf(connector !== 'postgres')(
      'knows exclusion constraints, domains and identity columns',
      async () => {
        expect(await lines({ c: value('x') })).toEqual([
          expect.stringMatching(
            /"c" is unique by the index \w+, so the same value fits one row only/,
          ),
        ]);
        expect(await lines({ b: NOTHING })).toEqual([expect.stringContaining('"b" refuses NULL')]);
        expect(await lines({ no: value(1) })).toEqual([
          expect.stringContaining('"no" is computed'),
        ]);
      },
    );

    it.skipIf(connector !== 'mysql')('knows ranges, labels, bytes and character sets', async () => {
      expect(await lines({ count: value(-1) })).toHaveLength(1);
      expect(await lines({ count: value(4294967296) })).toHaveLength(1);
      expect(await lines({ count: value(4294967295) })).toEqual([]);
      expect(await lines({ kind: value("it's"), kinds: value('x,y') })).toEqual([]);
      expect(await lines({ kind: value('A') })).toHaveLength(1);
      expect(await lines({ kinds: value('y,x') })).toHaveLength(1);
      expect(await lines({ tiny: value('é'.repeat(128)) })).toHaveLength(1);
      expect(await lines({ tiny: value('é'.repeat(127)) })).toEqual([]);
      expect(await lines({ old: value('gelöscht') })).toEqual([]);
      expect(await lines({ old: value('удалено') })).toEqual([expect.stringContaining('latin1')]);
    });
  },
);
