// The schema that the migrations lead to, in one file, so that a review sees what a change does.
// npm test -- packages/server/test/store/sqlite/schema -u writes it anew.
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { migrate } from '../../../src/store/sqlite/migrate.ts';

const FILE = '../../../migrations/sqlite-schema.sql';

it('the checked-in schema is the one that the migrations make', async () => {
  const database = new DatabaseSync(':memory:');
  migrate(database, 0);
  const rows = database
    .prepare(
      'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY tbl_name, type DESC, name',
    )
    .all();
  database.close();
  const dump = rows.map(({ sql }) => `${sql};\n`).join('\n');
  const head =
    '-- What the migrations in sqlite/ lead to; made from them, and compared by a test.\n';
  await expect(`${head}\n${dump}`).toMatchFileSnapshot(FILE);
});
