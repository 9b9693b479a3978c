import { expect, it } from 'vitest';
import type { Overwrite, SqlConnector } from '../../../src/domain/target/target.ts';
import { table, tables, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const value = (given: string | number): Overwrite => ({ kind: 'value', value: given });
const UNIQUE: Overwrite = { kind: 'unique', text: 'erased-{random}' };

const PEOPLE = (connector: SqlConnector) => `
  ${connector === 'postgres' ? "CREATE DOMAIN mail AS text CHECK (VALUE LIKE '%@%'); CREATE TYPE mood AS ENUM ('ok', 'sad');" : ''}
  CREATE TABLE people (id int PRIMARY KEY, email varchar(90) CHECK (email LIKE '%@%'),
    age int, born int, state varchar(9)${connector === 'postgres' ? ', second mail, mood mood' : ''},
    CONSTRAINT old_enough CHECK (age >= 18), CONSTRAINT ordered CHECK (age < born),
    CHECK (state IN ('new', 'gone')))`;

await onEachDatabase(
  'the check of overwritten columns under constraints',
  PEOPLE,
  ({ check, connector }) => {
    const problems = async (columns: Record<string, Overwrite>) =>
      written(
        await check({
          work: tables([table('people', { action: { kind: 'overwrite', columns } })]),
        }),
        'problem',
      );

    it('asks the database what a CHECK constraint would say', async () => {
      expect(
        await problems({ age: value(18), state: value('gone'), email: { kind: 'null' } }),
      ).toEqual([]);
      expect(await problems({ age: value(0) })).toEqual([
        expect.stringMatching(
          /^problem people: "age" would break the CHECK constraint .*; overwrite with what it allows$/,
        ),
      ]);
      expect(await problems({ state: value('other') })).toHaveLength(1);
      expect(await problems({ email: UNIQUE })).toHaveLength(1);
      expect(await problems({ email: { kind: 'unique', text: '{random}@x.org' } })).toEqual([]);
      expect(await problems({ email: { kind: 'hash' } })).toHaveLength(1);
    });

    it('says nothing if a column of the constraint is not overwritten, and checks if all are', async () => {
      expect(await problems({ born: value(1) })).toEqual([]);
      expect(await problems({ age: value(20), born: value(1) })).toHaveLength(1);
    });

    it.skipIf(connector !== 'postgres')('asks about domains and enumerations', async () => {
      expect(await problems({ second: UNIQUE })).toHaveLength(1);
      expect(await problems({ second: value('x@y'), mood: value('sad') })).toEqual([]);
      expect(await problems({ mood: value('glad') })).toEqual([
        expect.stringContaining('"mood" is mood, which cannot hold the value given'),
      ]);
    });
  },
);
