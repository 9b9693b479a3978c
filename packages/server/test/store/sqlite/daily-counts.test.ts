import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { ALL_DAYS } from '../../../src/domain/limit/daily-count.ts';
import { prepareCountDaily } from '../../../src/store/sqlite/daily-counts.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-store.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';

it('a count that the writer thread adds to stays readable when it has reached its maximum', async () => {
  const folder = makeTemporaryFolder();
  const store = openSqliteStore(folder.path, () => 1);
  const database = new DatabaseSync(store.databasePath);
  onTestFinished(async () => {
    database.close();
    await store.close();
    folder.remove();
  });
  const max = Number.MAX_SAFE_INTEGER;
  database
    .prepare(
      "INSERT INTO daily_counts (day, what, whose, count) VALUES (?, 'cancelled', 'acme', ?)",
    )
    .run(ALL_DAYS, max - 1);
  const countDaily = prepareCountDaily(database);
  countDaily('cancelled', 'acme', 1, 1);
  countDaily('cancelled', 'acme', 1, 1);
  const rows = database.prepare('SELECT day, count FROM daily_counts ORDER BY day').all();
  expect(rows.map(({ day, count }) => [day, count])).toEqual([
    [ALL_DAYS, max],
    [0, 2],
  ]);
});
