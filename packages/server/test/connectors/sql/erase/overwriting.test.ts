// What overwritten columns come to hold, on every database, and when that counts as erased.

import { describe, expect, it } from 'vitest';
import { timesOf } from '../../../../src/connectors/sql/erase/time-text.ts';
import type { Overwrite, SqlConnector } from '../../../../src/domain/target/target.ts';
import { eraseFound } from '../../../helpers/erase-found.ts';
import { aTable, customerId, GONE, passThrough, tablesWork, toOrder } from '../sql-target.ts';
import {
  eraseWhole,
  JANE,
  JOE,
  jane,
  onEverySqlDatabase,
  previewOf,
  via,
} from '../use-sql-target.ts';

const people = (columns: Record<string, Overwrite>) =>
  aTable('people', { match: { email: 'email' }, action: { kind: 'overwrite', columns } });
const value = (given: string | number | boolean): Overwrite => ({ kind: 'value', value: given });
const NOTHING: Overwrite = { kind: 'null' };
const HASH: Overwrite = { kind: 'hash' };
const NOW: Overwrite = { kind: 'now' };
const UNIQUE: Overwrite = { kind: 'unique', text: 'erased-{random}@example.invalid' };
const HASHED = /^uw1:[0-9a-z]{24}$/;
const RANDOM = /^erased-[0-9a-z]{32}@example\.invalid$/;

await onEverySqlDatabase('overwriting', ({ query, open, connector }) => {
  const on = (texts: Record<SqlConnector, string>) => texts[connector];
  const rowOf = async (id: number) => (await query(`SELECT * FROM people WHERE id = ${id}`))[0];

  describe('by a unique text', () => {
    const make = (email = 'VARCHAR(80) UNIQUE') =>
      query(`CREATE TABLE people (id INTEGER PRIMARY KEY, no INTEGER, email ${email}, nick VARCHAR(80));
        INSERT INTO people VALUES (1, 7, '${JANE}', 'Jane'), (2, 8, '${JOE}', 'Joe')`);

    it('gives each row and column another, and leaves NULL', async () => {
      await make('VARCHAR(80)');
      await query(`INSERT INTO people VALUES (3, 7, '${JANE}', NULL)`);
      const { erasures } = await eraseWhole(open([people({ email: UNIQUE, nick: UNIQUE })]));
      expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 2 } }]);
      const [first, third] = [await rowOf(1), await rowOf(3)];
      expect(first).toMatchObject({
        email: expect.stringMatching(RANDOM),
        nick: expect.stringMatching(RANDOM),
      });
      expect(third).toMatchObject({ email: expect.stringMatching(RANDOM), nick: null });
      expect(new Set([first?.email, first?.nick, third?.email]).size).toBe(3);
      expect(await rowOf(2)).toMatchObject({ email: JOE, nick: 'Joe' });
    });

    it('a unique text never collides when the person registers again', async () => {
      await make();
      const target = open([people({ email: UNIQUE })]);
      for (const id of [11, 12, 13]) {
        await eraseWhole(target);
        await query(`INSERT INTO people VALUES (${id}, 9, '${JANE}', 'Jane')`);
      }
      expect(await query(`SELECT id FROM people WHERE email = '${JANE}'`)).toHaveLength(1);
    });

    it('is recognised by a process that does not know of the erasing', async () => {
      await make();
      const table = [people({ email: UNIQUE })];
      const order = toOrder(jane(), await previewOf(open(table)));
      const other = open(table);
      await eraseFound(open(table), [order]);
      expect(await other.verify([order])).toEqual([GONE]);
    });

    it('is not treated as ours if it merely looks so', async () => {
      await make();
      const table = [
        aTable('people', {
          match: { controller_customer_id: 'no' },
          action: { kind: 'overwrite', columns: { email: UNIQUE, nick: HASH } },
        }),
      ];
      const email = `erased-${'a'.repeat(32)}@example.invalid`;
      const nick = `uw1:${'a'.repeat(24)}`;
      await query(`UPDATE people SET email = '${email}', nick = '${nick}' WHERE id = 1`);
      const subject = { ...jane(), identities: [customerId('7')] };
      const { erasures } = await eraseWhole(open(table), subject);
      expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 1 } }]);
      const row = await rowOf(1);
      expect(row?.email).not.toBe(email);
      expect(row?.nick).not.toBe(nick);
      // And once they are ours, the row is done.
      expect((await passThrough(open(table), [subject])).erasures).toEqual([
        { outcome: 'erased', counts: {} },
      ]);
      expect(await rowOf(1)).toEqual(row);
    });
  });

  describe('by a hash', () => {
    const make = (nick: string) =>
      query(`CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(80), nick ${nick});
        INSERT INTO people VALUES (1, '${JANE}', 'Jane'), (2, '${JOE}', 'Joe')`);

    it('is the same for the same value, so that rows can be counted together', async () => {
      await make('VARCHAR(80)');
      await query(`INSERT INTO people VALUES (3, '${JANE}', 'Jane')`);
      await eraseWhole(open([people({ email: NOTHING, nick: HASH })]));
      const [first, third] = [await rowOf(1), await rowOf(3)];
      expect(first?.nick).toMatch(HASHED);
      expect(first?.nick).toBe(third?.nick);
    });

    it('differs in each row if the column is unique, so that the person can register again', async () => {
      await make('VARCHAR(80) UNIQUE');
      const target = open([people({ email: NOTHING, nick: HASH })]);
      await eraseWhole(target);
      await query(`INSERT INTO people VALUES (3, '${JANE}', 'Jane')`);
      await eraseWhole(target);
      const [first, third] = [await rowOf(1), await rowOf(3)];
      expect(first?.nick).toMatch(HASHED);
      expect(third?.nick).toMatch(HASHED);
      expect(first?.nick).not.toBe(third?.nick);
    });

    it.skipIf(connector === 'mysql')('is so too under an index on an expression', async () => {
      await make('VARCHAR(80)');
      await query('CREATE UNIQUE INDEX nicks ON people (lower(nick)) WHERE id > 0');
      const target = open([people({ email: NOTHING, nick: HASH })]);
      await eraseWhole(target);
      await query(`INSERT INTO people VALUES (3, '${JANE}', 'Jane')`);
      await eraseWhole(target);
      expect((await rowOf(3))?.nick).toMatch(HASHED);
    });
  });

  describe('by the time', () => {
    const TYPES = on({
      sqlite: 'at DATETIME, day DATE, text_at TEXT',
      postgres: 'at timestamptz, day date, text_at timestamp(0)',
      mysql: 'at DATETIME, day DATE, text_at TIMESTAMP(3) NULL',
    });

    it('writes the time of erasing, and verifies by it', async () => {
      await query(`CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(80), ${TYPES});
        INSERT INTO people (id, email) VALUES (1, '${JANE}'), (2, '${JOE}')`);
      const table = [people({ at: NOW, day: NOW, text_at: NOW })];
      const before = toOrder(jane(), await previewOf(open(table)));
      expect(await open(table).verify([before])).toMatchObject([{ outcome: 'remains' }]);
      const { orders } = await eraseWhole(open(table));
      const times = timesOf(orders);
      const [again] = await open(table).preview([{ ...jane(), times }]);
      expect(again).toMatchObject({ counts: {}, hasOverwritten: true });
      expect(await open(table).verify(orders)).toEqual([GONE]);
      const texts = on({
        sqlite: 'at, day, text_at',
        postgres: "(at AT TIME ZONE 'UTC')::text AS at, day::text, text_at::text",
        mysql: 'CAST(at AS CHAR) AS at, CAST(day AS CHAR) AS day, CAST(text_at AS CHAR) AS text_at',
      });
      const [row] = await query(`SELECT ${texts} FROM people WHERE id = 1`);
      const today = new Date().toISOString().slice(0, 10);
      expect(row?.day).toBe(today);
      expect(row?.at).toMatch(new RegExp(`^${today} \\d\\d:\\d\\d:\\d\\d`));
      expect(row?.text_at).toMatch(new RegExp(`^${today} \\d\\d:\\d\\d:\\d\\d`));
    });

    it('is not treated as done if the row has another time', async () => {
      await query(`CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(80), at ${on({ sqlite: 'TEXT', postgres: 'timestamp', mysql: 'DATETIME' })}, name VARCHAR(9));
        INSERT INTO people VALUES (1, '${JANE}', '2020-01-01 00:00:00', NULL)`);
      const { erasures } = await eraseWhole(open([people({ at: NOW, name: NOTHING })]));
      expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 1 } }]);
    });
  });

  describe('beside SET NULL of the same column', () => {
    it('completes, and counts each row once', async () => {
      await query(`CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(80));
        CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER, note VARCHAR(20),
          FOREIGN KEY (person) REFERENCES people (id) ON DELETE SET NULL);
        INSERT INTO people VALUES (1, '${JANE}'), (2, '${JOE}');
        INSERT INTO orders VALUES (11, 1, 'hers'), (12, 1, 'hers'), (13, 2, 'his')`);
      const orders = aTable('orders', {
        via: [via('people', { person: 'id' })],
        action: { kind: 'overwrite', columns: { person: NOTHING, note: value('erased') } },
      });
      const tables = [orders, aTable('people', { match: { email: 'email' } })];
      const target = open(tables, {
        work: tablesWork(tables, { cascades: ['orders'] }),
      });
      const { erasures } = await eraseWhole(target);
      expect(erasures).toEqual([{ outcome: 'erased', counts: { orders: 2, people: 1 } }]);
      expect(await query('SELECT * FROM orders ORDER BY id')).toMatchObject([
        { id: 11, person: null, note: 'erased' },
        { id: 12, person: null, note: 'erased' },
        { id: 13, person: 2, note: 'his' },
      ]);
    });
  });

  it('completes if the column rounds, fills or cuts the value', async () => {
    const columns = on({
      sqlite: 'a REAL, b FLOAT, c CHAR(9), d NUMERIC',
      postgres: 'a real, b double precision, c char(9), d numeric(6, 2)',
      mysql: 'a FLOAT, b FLOAT(7,2), c CHAR(9), d DECIMAL(6,2)',
    });
    await query(`CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(80), ${columns});
      INSERT INTO people VALUES (1, '${JANE}', 1.5, 2.5, 'Jane', 3)`);
    const table = [people({ a: value(0.1), b: value(0.126), c: value('x '), d: value(0.555) })];
    const { orders } = await eraseWhole(open(table));
    expect(await open(table).verify(orders)).toEqual([GONE]);
  });

  describe('with a trigger of the operator’s', () => {
    const LISTED = (columns: Record<string, Overwrite>) => ({
      work: tablesWork([people(columns)], { triggers: ['odd'] }),
    });
    const make = async (fold: string, sqliteFold: string) => {
      await query(`CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(80), name VARCHAR(900));
        INSERT INTO people VALUES (1, '${JANE}', 'Jane')`);
      await query(
        on({
          sqlite: `CREATE TRIGGER odd AFTER UPDATE ON people BEGIN UPDATE people SET ${sqliteFold} WHERE id = NEW.id; END`,
          postgres: `CREATE FUNCTION odd() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${fold.replace('=', ':=')}; RETURN NEW; END $$;
            CREATE TRIGGER odd BEFORE UPDATE ON people FOR EACH ROW EXECUTE FUNCTION odd()`,
          mysql: `CREATE TRIGGER odd BEFORE UPDATE ON people FOR EACH ROW SET ${fold}`,
        }),
      );
    };

    it('completes if it normalises the new value', async () => {
      await make('NEW.name = lower(NEW.name)', 'name = lower(NEW.name)');
      const columns = { name: value('Erased') };
      await eraseWhole(open([people(columns)], LISTED(columns)));
      expect(await rowOf(1)).toMatchObject({ name: 'erased' });
    });

    it('completes if the old value is a part of the new one by chance', async () => {
      await make('NEW.name = upper(NEW.name)', 'name = upper(NEW.name)');
      await query(`DELETE FROM people; INSERT INTO people VALUES (1, '${JANE}', 'Ted')`);
      const columns = { name: value('deleted') };
      await eraseWhole(open([people(columns)], LISTED(columns)));
      expect(await rowOf(1)).toMatchObject({ name: 'DELETED' });
    });

    it('recognises unique texts and hashes that it has put into capitals', async () => {
      await make('NEW.name = upper(NEW.name)', 'name = upper(NEW.name)');
      const columns = { name: HASH };
      const { orders } = await eraseWhole(open([people(columns)], LISTED(columns)));
      expect(await open([people(columns)], LISTED(columns)).verify(orders)).toEqual([GONE]);
    });

    it.each([
      ['puts the old value back', 'NEW.name = OLD.name', 'name = OLD.name'],
      [
        'keeps the old value in the new one',
        "NEW.name = concat('was ', OLD.name)",
        "name = 'was ' || OLD.name",
      ],
      [
        'keeps it beside the new one',
        "NEW.name = concat(NEW.name, ' ', OLD.name)",
        "name = NEW.name || ' ' || OLD.name",
      ],
      [
        'keeps it behind a long text',
        "NEW.name = concat(repeat('x', 500), OLD.name)",
        "name = replace(hex(zeroblob(250)), '0', 'x') || OLD.name",
      ],
    ])('holds, and nothing is changed, if it %s', async (_, fold, sqliteFold) => {
      await make(fold, sqliteFold);
      const columns = { name: value('erased') };
      const target = open([people(columns)], LISTED(columns));
      const order = toOrder(jane(), await previewOf(target));
      expect(await eraseFound(target, [order])).toMatchObject([
        { outcome: 'held', reason: 'not_overwritten', detail: expect.stringContaining('"name"') },
      ]);
      expect(await rowOf(1)).toMatchObject({ name: 'Jane' });
    });
  });
});
