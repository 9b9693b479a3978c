// A table that is listed several times, whose entries overwrite different columns of the same rows.
import { describe, expect, it } from 'vitest';
import type { TablesWork } from '../../../../src/domain/target/target.ts';
import { sqlTarget, TABLE, useWrittenTargets } from '../written-targets.ts';

const { one, problemsOf } = useWrittenTargets();

type Entry = Readonly<Record<string, unknown>>;

const HOSTED = {
  table: 'bookings',
  via: { customers: { customer_id: 'id' } },
  action: { overwrite: { title: 'erased', host: null } },
};
const CANCELLED = {
  table: 'bookings',
  match: { email: 'cancelled_by' },
  action: { overwrite: { cancelled_by: null } },
};

function tablesOf(...tables: Entry[]) {
  return (one<'postgres'>(sqlTarget({ tables })).work as TablesWork).tables;
}

const problems = (...tables: Entry[]) => problemsOf({ shop: sqlTarget({ tables }) });

describe('entries that overwrite different columns', () => {
  it('are called by them', () => {
    const names = (...tables: Entry[]) =>
      tablesOf(...tables).map(({ table, name }) => name ?? table);
    expect(names(HOSTED, CANCELLED, TABLE)).toEqual([
      'bookings (title, host)',
      'bookings (cancelled_by)',
      'customers',
    ]);
    const where = { state: [1, 2] };
    const other = { table: 'bookings', match: { email: 'host' }, where: { state: 3 } };
    const same = { ...CANCELLED, where: { state: [2, 1] } };
    expect(names({ ...HOSTED, where }, same, other, TABLE)).toEqual([
      'bookings (title, host; state: 1, 2)',
      'bookings (cancelled_by; state: 2, 1)',
      'bookings (state: 3)',
      'customers',
    ]);
  });

  it.each<[string, Entry, RegExp]>([
    [
      'deletes',
      { ...CANCELLED, action: 'delete' },
      /tables\[1\]\.table: is in tables\[0\] already/,
    ],
    ['retains', { ...CANCELLED, action: { retain: 'tax' } }, /tables\[1\]\.table: is in tables/],
    ['has another "where"', { ...CANCELLED, where: { state: 1 } }, /tables\[1\]\.where: is in/],
    [
      'overwrites one of the columns',
      { ...CANCELLED, action: { overwrite: { host: null } } },
      /tables\[1\]\.action\.overwrite\.host: is overwritten in tables\[0\] too/,
    ],
    [
      'overwrites the reference of the other',
      { ...CANCELLED, action: { overwrite: { customer_id: null } } },
      /tables\[1\]\.action\.overwrite: and that of tables\[0\], .* overwrites "customer_id", by which/,
    ],
    [
      'is found by a column of the other',
      { ...CANCELLED, match: { email: ['cancelled_by', 'host'] } },
      /overwrites "host", by which the other finds its rows/,
    ],
  ])('are refused if one %s', (_, entry, message) => {
    expect(problems(HOSTED, entry, TABLE)).toEqual([expect.stringMatching(message)]);
  });

  it('are refused if one overwrites a column of "where"', () => {
    const where = { state: 1 };
    const moving = { ...CANCELLED, where, action: { overwrite: { cancelled_by: null, state: 2 } } };
    expect(problems({ ...HOSTED, where }, moving, TABLE)).toEqual([
      expect.stringMatching(/overwrites "state", by which the other finds its rows/),
    ]);
  });

  it('are led to by name', () => {
    const notes = (...entries: string[]) => ({
      table: 'notes',
      via: Object.fromEntries(entries.map((entry) => [entry, { booking_id: 'id' }])),
    });
    const tables = tablesOf(notes('bookings (title, host)'), HOSTED, CANCELLED, TABLE);
    expect(tables[0]?.via).toEqual([
      { parent: 'bookings', entries: ['bookings (title, host)'], columns: { booking_id: 'id' } },
    ]);
    const message =
      /via\.bookings: may lead to one row by several entries, .* "bookings \(title, host\)" or "bookings \(cancelled_by\)"/;
    for (const entries of [['bookings'], ['bookings (title, host)', 'bookings (cancelled_by)']])
      expect(problems(notes(...entries), HOSTED, CANCELLED, TABLE)).toEqual([
        expect.stringMatching(message),
      ]);
  });
});
