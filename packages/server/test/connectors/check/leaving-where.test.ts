// Overwritten columns of `where`: rows that leave their entry, or come into another.
import { expect, it } from 'vitest';
import type { Overwrite, WhereValues } from '../../../src/domain/target/target.ts';
import { table, tables, via, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const value = (given: string | number): Overwrite => ({ kind: 'value', value: given });
const NOTHING: Overwrite = { kind: 'null' };

await onEachDatabase(
  'the check of overwritten columns of "where"',
  `CREATE TABLE owners (id INTEGER PRIMARY KEY, email VARCHAR(90));
   CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(90), state VARCHAR(9), level INTEGER, owner INTEGER)`,
  ({ check }) => {
    const entry = (state: WhereValues, columns?: Record<string, Overwrite>, more = {}) =>
      table('people', {
        name: `people (${JSON.stringify(state)})`,
        where: { state },
        ...(columns !== undefined && { action: { kind: 'overwrite', columns } }),
        ...more,
      });
    const lines = async (...entries: ReturnType<typeof entry>[]) =>
      written(
        await check({ work: tables([...entries, table('owners')]) }),
        'problem',
        'warning',
      ).filter((line) => line.includes('overwriting "'));

    it('warns if rows leave and keep the identity', async () => {
      expect(await lines(entry(['active'], { state: value('gone') }))).toEqual([
        'warning people: overwriting "state" takes rows out of its "where", where nothing finds them any more, and they keep email; overwrite that too if it names a person, or leave "state" out',
      ]);
      const leaves = [{ state: NOTHING }, { state: value('gone'), level: value(1) }];
      for (const columns of leaves) expect(await lines(entry(['active'], columns))).toHaveLength(1);
      expect(await lines(entry({ not: ['gone'] }, { state: value('gone') }))).toHaveLength(1);
    });

    it('passes if they stay, or lose it, or have only a reference', async () => {
      expect(await lines(entry(['active', 'gone'], { state: value('gone') }))).toEqual([]);
      expect(await lines(entry({ not: ['a'] }, { state: value('gone') }))).toEqual([]);
      expect(await lines(entry(['active'], { state: value('gone'), email: NOTHING }))).toEqual([]);
      const owned = entry(
        ['active'],
        { state: value('gone') },
        {
          match: [],
          ...via('owners', { owner: 'id' }),
        },
      );
      expect(await lines(owned)).toEqual([]);
    });

    it('refuses rows that come into another entry, which finds them again', async () => {
      const first = entry(['active'], { state: value('gone') });
      expect(await lines(first, entry(['gone']))).toEqual([
        expect.stringMatching(
          /^problem people: overwriting "state" takes rows from "people \(\["active"\]\)" into "people \(\["gone"\]\)", which finds them again by email; overwrite email too/,
        ),
      ]);
      const back = entry(['gone'], { state: value('active') });
      expect(await lines(first, back)).toHaveLength(2);
      // What comes there has its new values.
      expect(await lines(first, entry(['gone'], { state: value('gone') }))).toEqual([]);
      const nameless = entry(['active'], { state: value('gone'), email: NOTHING });
      expect(await lines(nameless, entry(['gone']))).toEqual([]);
    });
  },
);
