import { expect, it } from 'vitest';
import type { Overwrite, SqlConnector } from '../../../src/domain/target/target.ts';
import { table, tables, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const GENERATED: Record<SqlConnector, string> = {
  sqlite: 'shout varchar(50) AS (upper(name))',
  postgres: 'shout varchar(50) GENERATED ALWAYS AS (upper(name)) STORED',
  mysql: 'shout varchar(50) AS (upper(name))',
};
const CUSTOMERS = (connector: SqlConnector) => `CREATE TABLE customers (
  id int NOT NULL PRIMARY KEY, tenant varchar(20) NOT NULL, email varchar(190), name varchar(40),
  short varchar(10), age int, balance decimal(8, 2), born date, nick varchar(40) UNIQUE,
  shop int, number int, required varchar(40) NOT NULL, ${GENERATED[connector]},
  UNIQUE (tenant, email), UNIQUE (shop, number))`;

await onEachDatabase('the check of what is overwritten', CUSTOMERS, ({ check, connector, run }) => {
  const lines = async (columns: Record<string, Overwrite>) =>
    written(
      await check({
        tenancy: { way: 'column', column: 'tenant', values: {} },
        work: tables([table('customers', { action: { kind: 'overwrite', columns } })]),
      }),
    ).filter((line) => line.includes(' customers: ') && !line.includes('no index'));
  const of = async (columns: Record<string, Overwrite>) =>
    (await lines(columns)).filter((line) => line.startsWith('problem'));
  const value = (given: string | number | boolean): Overwrite => ({ kind: 'value', value: given });
  const nothing: Overwrite = { kind: 'null' };
  const hash: Overwrite = { kind: 'hash' };

  it('accepts values that fit', async () => {
    expect(
      await of({
        email: nothing,
        name: hash,
        short: value('erased'),
        age: value(0),
        balance: value(0.5),
        born: value('1900-01-01'),
        nick: hash,
        required: value('erased'),
      }),
    ).toEqual([]);
  });

  it('refuses NULL if a column refuses it', async () => {
    expect(await of({ required: nothing })).toEqual([
      expect.stringMatching(/^problem customers: "required" refuses NULL; /),
    ]);
  });

  it('refuses one value for a unique column, even if only the tenant tells rows apart', async () => {
    expect(await of({ nick: value('x') })).toEqual([
      expect.stringMatching(
        /^problem customers: "nick" is unique by the index .* write nick: { unique: "erased-{random}" } or null or a hash instead$/,
      ),
    ]);
    expect(await of({ email: value('x') })).toEqual([
      expect.stringMatching(/^problem customers: "email" is unique \(with tenant\) by the index /),
    ]);
  });

  it('warns if two rows may become equal', async () => {
    expect(await lines({ shop: value(1) })).toContainEqual(
      expect.stringMatching(/^warning customers: \(shop, number\) is unique: /),
    );
  });

  it('refuses to overwrite the key, the tenant and what is computed', async () => {
    expect(await of({ id: value(1) })).toContainEqual(
      expect.stringContaining('"id" is part of the key'),
    );
    expect(await of({ tenant: value('x') })).toContainEqual(
      expect.stringContaining(`"tenant" tells one controller's rows from another's`),
    );
    expect(await of({ shout: nothing })).toContainEqual(
      expect.stringContaining('"shout" is computed by the database'),
    );
  });

  it('refuses values of another kind', async () => {
    expect(await of({ age: value('none') })).toEqual([
      expect.stringMatching(
        /^problem customers: "age" is int\S*, which cannot hold the value given/i,
      ),
    ]);
    expect(await of({ balance: value('none') })).toHaveLength(1);
    // A date of SQLite is a text like any other.
    expect(await of({ born: value('erased') })).toHaveLength(connector === 'sqlite' ? 0 : 1);
    expect(await of({ age: hash })).toEqual([
      expect.stringMatching(/"age" is int\S*, and a hash is a text/i),
    ]);
  });

  // SQLite does not enforce lengths.
  it.skipIf(connector === 'sqlite')('refuses what is too long', async () => {
    expect(await of({ short: value('x'.repeat(11)) })).toEqual([
      'problem customers: "short" holds 10 characters, and the value has 11; shorten the value',
    ]);
    expect(await of({ short: hash })).toEqual([
      expect.stringMatching(/"short" holds 10 characters, and a hash needs 28; /),
    ]);
  });

  it('refuses a hash if a foreign key requires an existing value', async () => {
    await run(
      'CREATE TABLE letters (id int PRIMARY KEY, email varchar(40), nick varchar(40), FOREIGN KEY (nick) REFERENCES customers (nick))',
    );
    const columns = { nick: hash };
    const work = tables([
      table('letters', { action: { kind: 'overwrite', columns } }),
      table('customers'),
    ]);
    expect(written(await check({ work }), 'problem')).toContainEqual(
      expect.stringMatching(
        /^problem letters: "nick" refers to customers \(foreign key .*write null/,
      ),
    );
    await run('DROP TABLE letters');
  });

  it('notes that rows keep what they are found by', async () => {
    expect(await lines({ name: nothing })).toContain(
      'note customers: rows keep what they are found by (email); overwrite it too if it names a person',
    );
  });
});
