import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NODE_ALIVE_MS } from '../../src/domain/store/node-ports.ts';
import { migrate, migrationStatus, readMigrations } from '../../src/store/postgres/migrate.ts';
import { createNodeRegistry } from '../../src/store/postgres/nodes.ts';
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
  worksFrom: ALL.length,
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
    expect(await migrationStatus(database, all)).toEqual({
      applied: ALL,
      waiting: [NEXT.name],
      newer: [],
    });
    const applied = await Promise.all([1, 2, 3].map(() => migrate(database, all)));
    expect(applied.flat()).toEqual([NEXT.name]);
    expect(await database.all('SELECT invented FROM @requests')).toEqual([]);
    expect((await migrationStatus(database, all)).waiting).toEqual([]);
  });

  const contracting = {
    ...NEXT,
    number: NEXT.number + 1,
    name: '0003-removed',
    sql: 'ALTER TABLE @requests DROP COLUMN invented',
    worksFrom: NEXT.number,
  };

  it('refuse a store from which a newer version has removed something, not one to which it has added', async () => {
    const { database } = fresh;
    await migrate(database, [...readMigrations(), NEXT]);
    expect(await migrate(database)).toEqual([]);
    expect((await migrationStatus(database)).newer).toEqual([NEXT.name]);
    await migrate(database, [...readMigrations(), NEXT, contracting]);
    await expect(migrate(database)).rejects.toThrow(
      'this version of Unwrite is too old for the store, which has migration 0003-removed',
    );
  });

  it('remove nothing while a node runs that may use it', async () => {
    const { database } = fresh;
    const now = Date.now();
    const self = { nodeId: 'old-1', host: 'old', pid: 1, role: 'all', version: '0.0.1' };
    const nodes = createNodeRegistry(database);
    await nodes.beat({ ...self, startedTime: now }, 'serving', 'x', now);
    const all = [...readMigrations(), NEXT, contracting];
    await migrate(database, [...readMigrations(), NEXT]);
    await expect(migrate(database, all)).rejects.toThrow(
      'migration 0003-removed removes what running nodes use: old-1 (version 0.0.1); stop them',
    );
    expect((await migrationStatus(database, all)).waiting).toEqual([contracting.name]);
    await nodes.beat({ ...self, startedTime: now }, 'serving', 'x', now - NODE_ALIVE_MS - 1000);
    expect(await migrate(database, all)).toEqual([contracting.name]);
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
