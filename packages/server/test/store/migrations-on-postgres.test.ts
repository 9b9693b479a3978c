import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate, migrationStatus, readMigrations } from '../../src/store/postgres/migrate.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import {
  type FreshStoreDatabase,
  freshStoreDatabase,
} from '../helpers/stores/fresh-store-database.ts';

const ALL = readMigrations().map(({ name }) => name);
const NEXT = {
  number: ALL.length + 1,
  name: '0002-invented',
  sql: 'ALTER TABLE @requests ADD COLUMN invented text',
  digest: 'x',
};

describe.skipIf(!(await hasPostgres()))('the migrations on PostgreSQL', () => {
  let fresh: FreshStoreDatabase;
  beforeEach(async () => {
    fresh = await freshStoreDatabase();
  });
  afterEach(() => fresh.close());

  it('are numbered one after the other, and each number once', () => {
    expect(readMigrations().map(({ number }) => number)).toEqual(ALL.map((_, index) => index + 1));
  });

  it('are applied once to a store that has the earlier ones, when several nodes start at once', async () => {
    const { database } = fresh;
    const all = [...readMigrations(), NEXT];
    expect(await migrationStatus(database, all)).toEqual({ applied: ALL, waiting: [NEXT.name] });
    const applied = await Promise.all([1, 2, 3].map(() => migrate(database, all)));
    expect(applied.flat()).toEqual([NEXT.name]);
    expect(await database.all('SELECT invented FROM @requests')).toEqual([]);
    expect((await migrationStatus(database, all)).waiting).toEqual([]);
  });

  it('refuse a store that a newer version has migrated', async () => {
    await migrate(fresh.database, [...readMigrations(), NEXT]);
    await expect(migrate(fresh.database)).rejects.toThrow(
      'the store has migration 0002-invented, which this version of Unwrite does not know',
    );
  });

  it('leave a store at the last one that succeeded', async () => {
    const broken = {
      ...NEXT,
      sql: 'CREATE TABLE @half_way (a text); CREATE TABLE @requests (a text)',
    };
    await expect(migrate(fresh.database, [...readMigrations(), broken])).rejects.toThrow();
    expect((await migrationStatus(fresh.database)).waiting).toEqual([]);
    expect(
      await fresh.database.all("SELECT 1 FROM pg_tables WHERE tablename = 'half_way'"),
    ).toEqual([]);
  });
});
