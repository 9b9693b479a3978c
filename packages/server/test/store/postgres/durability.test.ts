import { describe, expect, it } from 'vitest';
import { readUndurable } from '../../../src/store/postgres/durability.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { freshStoreDatabase } from '../../helpers/stores/fresh-store-database.ts';

describe.skipIf(!(await hasPostgres()))('a server that may lose what it has confirmed', () => {
  it('is read from the settings that are off, for any account', async () => {
    const { database, close } = await freshStoreDatabase();
    const told = await database.transaction(async (sql) => {
      await sql.run('SET LOCAL synchronous_commit = on');
      const before = await readUndurable(sql);
      await sql.run('SET LOCAL synchronous_commit = off');
      return { before, after: await readUndurable(sql) };
    });
    expect(told.before).not.toContain('synchronous_commit');
    expect(told.after).toContain('synchronous_commit');
    await close();
  });
});
