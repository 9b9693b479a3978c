import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Sql } from '../../../src/store/postgres/database.ts';
import { enrolInDeadlineWatch } from '../../../src/store/shared/alarms/enrol-in-deadline-watch.ts';
import { DAY, MINUTE, START } from '../../contract/fulfilment/under-test.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { usePostgres } from './use-postgres.ts';

const LONG_AGO = '2026-09-01T00:00:00Z';

describe.skipIf(!(await hasPostgres()))('requests enrolled in the deadline watch', () => {
  const use = usePostgres();

  const create = (sql: Sql, receivedTime: number, submittedTime = LONG_AGO) =>
    sql.run(
      `INSERT INTO @requests
         (controller_id, subject_request_id, request_uuid, status, regulation, submitted_time,
          received_time, created_by, identity_count)
       VALUES ('acme', $1, $2::uuid, 'pending', 'gdpr', $3, $4, 'client:one', 0)`,
      [...Array<string>(2).fill(randomUUID()), submittedTime, receivedTime],
    );

  const enrol = (now: number) =>
    use().under.database.transaction((sql) => enrolInDeadlineWatch(sql, now));

  const watched = () => use().count('@watched_requests');

  it('include those submitted long before they arrived, and those whose times cannot be read', async () => {
    const { database } = use().under;
    await create(database, START);
    await create(database, START, '2026-11-15T01:00:00Z');
    await create(database, START, '2026-11-14T03:00:00+01:30');
    await create(database, START, 'yesterday');
    await enrol(START);
    expect(await watched()).toBe(3);
  });

  it('include one that was committed after a later one', async () => {
    const { database, secondDatabase } = use().under;
    await database.transaction(async (sql) => {
      await create(sql, START);
      await create(secondDatabase, START);
      await secondDatabase.transaction((it) => enrolInDeadlineWatch(it, START + MINUTE));
      expect(await watched()).toBe(1);
    });
    await enrol(START + 2 * MINUTE);
    expect(await watched()).toBe(2);
    const progress = await database.get('SELECT seen_request_no AS no FROM @alarm_progress');
    expect(progress).toEqual({ no: 2 });
  });

  it('include those that have reached the age, page by page, and those that are erased again', async () => {
    const { database } = use().under;
    for (let n = 0; n < 5; n++) await create(database, START + n, new Date(START).toISOString());
    await enrol(START + 12 * DAY + 2);
    expect(await watched()).toBe(3);
    await database.run('UPDATE @requests SET again_asked_time = $1 WHERE received_time = $2', [
      START,
      START + 4,
    ]);
    await enrol(START + 12 * DAY + 2);
    expect(await watched()).toBe(4);
  });

  it('is taken up by one node after the other', async () => {
    const { under, whileOpen } = use();
    for (let n = 0; n < 50; n++) await create(under.database, START);
    await whileOpen(
      (sql) => enrolInDeadlineWatch(sql, START + DAY),
      () => under.secondDatabase.transaction((sql) => enrolInDeadlineWatch(sql, START + DAY)),
    );
    expect(await watched()).toBe(50);
  });
});
