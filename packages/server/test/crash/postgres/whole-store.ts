// Looks for anything half-written, counted twice or left behind in a store on PostgreSQL that many
// nodes wrote to. Everything is final and shredded by then.
import type { Evidence } from '../../../src/domain/task/task.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import type { NodesLedger } from './controllers.ts';

/** Each finds what is still under way. */
const OPEN: Record<string, string> = {
  'requests that are not final': `
    SELECT count(*) AS count FROM @requests WHERE status IN ('pending', 'in_progress')`,
  'completed requests that are not shredded': `
    SELECT count(*) AS count FROM @requests WHERE status = 'completed' AND shredded_time IS NULL`,
  'completed requests without a receipt': `
    SELECT count(*) AS count FROM @requests WHERE status = 'completed' AND receipted_time IS NULL`,
  'audit rows without a number': 'SELECT count(*) AS count FROM @new_audit_rows',
  'audit rows without a head': `
    SELECT count(*) AS count FROM @audit_rows
    WHERE audit_no > coalesce((SELECT max(last_audit_no) FROM @audit_heads), 0)`,
};

export async function whatIsOpen(database: Database): Promise<string[]> {
  const open: string[] = [];
  for (const [what, text] of Object.entries(OPEN)) {
    const row = await database.get<{ count: number }>(text);
    if (row?.count !== 0) open.push(`${row?.count} ${what}`);
  }
  return open;
}

/** Counted once for all requests: the log has no index on their numbers. `count` comes before the number of rows. */
const wrongly = (count: string, action: string) => `
    SELECT subject_request_id AS what FROM @all_requests AS r LEFT JOIN (
      SELECT request_no, count(*) AS rows FROM @audit_rows WHERE action = '${action}' GROUP BY request_no
    ) AS a USING (request_no)
    WHERE ${count} <> coalesce(a.rows, 0)`;

/** Each finds rows that no finished transaction leaves behind, and names them in `what`. */
const HALF_WRITTEN: Record<string, string> = {
  'an id that is there twice': `
    SELECT request_uuid AS what FROM @all_requests GROUP BY request_uuid HAVING count(*) > 1`,
  'a request in both tables': `
    SELECT request_no AS what FROM @requests JOIN @archived_requests USING (request_no)`,
  'a request without exactly one audit row of its creation': wrongly('1', 'request.created'),
  'a request whose cancellation and its audit row disagree': wrongly(
    "(status = 'cancelled')::int",
    'request.cancelled',
  ),
  'a request whose start and its audit row disagree': wrongly(
    "(status = 'completed')::int",
    'request.started',
  ),
  'a request whose completion and its audit row disagree': wrongly(
    "(status = 'completed')::int",
    'request.completed',
  ),
  'a request whose task and its audit row disagree': wrongly(
    "(status = 'completed')::int",
    'task.erased',
  ),
  'a request that was shredded more than once': wrongly(
    "(status = 'completed')::int",
    'request.shredded',
  ),
  'an audit row of a request that is not there': `
    SELECT audit_no AS what FROM @audit_rows WHERE subject_request_id IS NOT NULL
      AND (request_no IS NULL OR request_no NOT IN (SELECT request_no FROM @all_requests))`,
  'a gap in the numbers of the audit log': `
    SELECT audit_no AS what FROM (
      SELECT audit_no, row_number() OVER (ORDER BY audit_no) AS place FROM @audit_rows) AS numbered
    WHERE audit_no <> place`,
  'a task without its request': `
    SELECT task_no AS what FROM @tasks
    WHERE request_no NOT IN (SELECT request_no FROM @all_requests WHERE status = 'completed')`,
  'a request without exactly one task': `
    SELECT subject_request_id AS what FROM @all_requests AS r
    WHERE (status = 'completed')::int <> (
      SELECT count(*) FROM @tasks AS t WHERE t.request_no = r.request_no)`,
  'a task that is not done': `SELECT task_no AS what FROM @tasks WHERE state <> 'erased'`,
  'a batch without tasks': 'SELECT batch_no AS what FROM @batches',
  'identities of a request that is shredded': `
    SELECT request_no AS what FROM @sealed_identities
    UNION ALL SELECT request_no FROM @added_identities`,
  'an intent of a request that is shredded': 'SELECT task_no AS what FROM @intents',
  'a digest of a request that was not started': `
    SELECT request_no AS what FROM @identity_digests
    WHERE request_no NOT IN (SELECT request_no FROM @all_requests WHERE status = 'completed')`,
  'a completed request without exactly one receipt': `
    SELECT subject_request_id AS what FROM @all_requests AS r
    WHERE (status = 'completed')::int <> (
      SELECT count(*) FROM @receipts AS p WHERE p.request_no = r.request_no)`,
};

export async function findHalfWritten(database: Database): Promise<string[]> {
  const found: string[] = [];
  for (const [what, text] of Object.entries(HALF_WRITTEN)) {
    const rows = await database.all<{ what: unknown }>(text);
    found.push(...rows.slice(0, 5).map((row) => `${what}: ${row.what}`));
  }
  return found;
}

/** Acknowledged, and not in the store as acknowledged. */
export async function findLost(
  database: Database,
  { created, cancelled }: NodesLedger,
): Promise<string[]> {
  const rows = await database.all<{ id: string; status: string }>(
    'SELECT subject_request_id AS id, status FROM @all_requests',
  );
  const statusOf = new Map(rows.map(({ id, status }) => [id, status]));
  const lost = [...created.keys()].filter((id) => !statusOf.has(id));
  const revived = [...cancelled].filter((id) => statusOf.get(id) !== 'cancelled');
  return [
    ...lost.map((id) => `${id} is gone`),
    ...revived.map((id) => `${id} was cancelled and is ${statusOf.get(id)}`),
  ];
}

export async function completedIds(database: Database): Promise<string[]> {
  const rows = await database.all<{ id: string }>(
    `SELECT subject_request_id AS id FROM @all_requests WHERE status = 'completed'`,
  );
  return rows.map(({ id }) => id);
}

export async function readEvidence(database: Database): Promise<Evidence[]> {
  const rows = await database.all<{ evidence: string }>('SELECT evidence FROM @tasks');
  return rows.map(({ evidence }) => JSON.parse(evidence));
}

/** What was counted, by what it was. */
export async function readCounts(database: Database): Promise<Record<string, number>> {
  const rows = await database.all<{ what: string; count: number }>(
    `SELECT what, sum(count)::bigint AS count FROM @daily_counts WHERE day >= 0 GROUP BY what`,
  );
  return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
}
