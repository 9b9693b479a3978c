import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { readMigrations } from '../../../src/store/sqlite/migrate.ts';

it('a store of an earlier version counts its contents, so that totals do not start at zero', () => {
  const [first, second, third] = readMigrations().map(({ sql }) => sql);
  const database = new DatabaseSync(':memory:');
  database.exec(`${first};${second};
    INSERT INTO controllers VALUES ('acme', NULL, NULL, 0);
    INSERT INTO requests (controller_id, subject_request_id, status, regulation, submitted_time,
      received_time, created_by, identity_count, started_time)
    VALUES ('acme', '1', 'completed', 'gdpr', '', 0, '', 1, 5),
           ('acme', '2', 'in_progress', 'gdpr', '', 0, '', 1, 5),
           ('acme', '3', 'cancelled', 'gdpr', '', 0, '', 1, NULL),
           ('acme', '4', 'pending', 'gdpr', '', 0, '', 1, NULL)`);
  database.exec(third ?? '');
  const rows = database.prepare(
    'SELECT what, count FROM daily_counts WHERE day = -1 ORDER BY what',
  );
  expect(rows.all().map((row) => [row.what, row.count])).toEqual([
    ['cancelled', 1],
    ['completed', 1],
    ['starts', 2],
  ]);
  database.close();
});
