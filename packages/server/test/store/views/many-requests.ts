// Very many requests, with their tasks and audit rows, written by SQL.
import type { Database } from '../../../src/store/sql.ts';

const DAY = 86_400_000;
export const RARE_EVERY = 5000;

/** The newest are pending and in progress, most of the others completed; every so many is of a controller that has few. */
export async function writeManyRequests(
  database: Database,
  isPostgres: boolean,
  count: number,
  now: number,
): Promise<void> {
  const numbers = isPostgres
    ? `generate_series(1, ${count}::bigint) AS n (i)`
    : `(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
        SELECT i FROM n) AS n`;
  const open = Math.floor(count * 0.9);
  const pending = Math.floor(count * 0.95);
  const status = `CASE WHEN i > ${pending} THEN 'pending' WHEN i > ${open} THEN 'in_progress'
    WHEN i % 50 = 0 THEN 'cancelled' ELSE 'completed' END`;
  const received = `${now - 40 * DAY} + i * ${Math.floor((39 * DAY) / count)}`;
  const id = isPostgres
    ? `'00000000-0000-4000-8000-' || lpad(i::text, 12, '0')`
    : `'00000000-0000-4000-8000-' || printf('%012d', i)`;
  const uuid = isPostgres ? `, (${id})::uuid` : '';
  const columns = `request_no, controller_id, subject_request_id${isPostgres ? ', request_uuid' : ''},
    status, regulation, submitted_time, received_time, created_by, cancelled_time, identity_count,
    started_time, completed_time, plan_id, receipted_time`;
  const insert = (table: string, where: string) => `INSERT INTO ${table} (${columns})
    SELECT i, CASE WHEN i % ${RARE_EVERY} = 0 THEN 'rare' ELSE 'acme' END, ${id}${uuid},
      ${status}, 'gdpr', '2026-11-01T00:00:00Z', ${received}, 'client:c',
      CASE WHEN i % 50 = 0 AND i <= ${open} THEN ${received} + 1000 END, 1,
      CASE WHEN i <= ${pending} AND NOT (i % 50 = 0 AND i <= ${open}) THEN ${received} + 2000 END,
      CASE WHEN i % 50 <> 0 AND i <= ${open} THEN ${received} + 3000 END, 'p',
      CASE WHEN i <= ${open} THEN ${received} + 4000 END
    FROM ${numbers} WHERE ${where}`;
  const archived = Math.floor(count * 0.6);
  const statements = [
    ...['acme', 'rare'].map(
      (name) => `INSERT INTO @controllers (controller_id, created_time) VALUES ('${name}', 0)`,
    ),
    ...(isPostgres
      ? [insert('@archived_requests', `i <= ${archived}`), insert('@requests', `i > ${archived}`)]
      : [insert('@requests', 'true')]),
    `INSERT INTO @tasks (task_no, request_no, target, run, connector, phase, state, due_time,
       attempts, reason, detail, changed_time, owner_id)
     SELECT i, i, 'shop', 1, 'postgres', 'erase',
       CASE WHEN i <= ${open} THEN 'erased' WHEN i % 1000 = 1 THEN 'held'
            WHEN i % 1000 = 2 THEN 'failed' ELSE 'waiting' END,
       CASE WHEN i > ${open} AND i % 1000 <> 1 THEN ${now} END, 0,
       CASE WHEN i > ${open} AND i % 1000 = 1 THEN 'over_cap' END, 'd', ${received},
       CASE WHEN i % ${RARE_EVERY} = 0 THEN 'rare' ELSE 'acme' END
     FROM ${numbers} WHERE i <= ${pending} AND NOT (i % 50 = 0 AND i <= ${open})`,
    `INSERT INTO @audit_rows (audit_no, time, actor, action, controller_id, request_no)
     SELECT i, ${received}, CASE WHEN i % 997 = 0 THEN 'operator:olga' ELSE 'system' END,
       CASE WHEN i % 2 = 0 THEN 'request.started' ELSE 'task.erased' END, 'acme', i
     FROM ${numbers}`,
    `INSERT INTO @alarms (alarm_no, kind, subject, percent, request_no, target, message, raised_time)
     SELECT i, CASE WHEN i % 5 = 0 THEN 'target_down' ELSE 'expected_deadline' END, 'alarm ' || i, 0,
       CASE WHEN i % 5 = 0 THEN NULL ELSE i END, CASE WHEN i % 5 = 0 THEN 'shop' END, 'm', ${received}
     FROM ${numbers}`,
  ];
  for (const text of statements) await database.run(text);
  await database.run(isPostgres ? 'ANALYZE' : 'SELECT 1');
}
