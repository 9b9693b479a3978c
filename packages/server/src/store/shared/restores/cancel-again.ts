// Repeats a cancellation that a restore has lost.
import type { RequestKey } from '../../../domain/request/request.ts';
import { auditOfRequest } from '../../../domain/request/request-rules.ts';
import { cancelsAgain } from '../../../domain/store/restore.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import type { Sql } from '../../sql.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { cancelRequests } from '../requests/cancel-requests.ts';
import { countDaily } from '../tasks/daily-counts.ts';

/** A subquery: how many tasks of `known.request_no` a worker has tried, or are done. */
export const WORKED_ON = `(SELECT count(*) FROM @tasks AS tasks
  WHERE tasks.request_no = known.request_no AND (attempts > 0 OR state IN ('erased', 'running')))`;

type Row = RequestKey & {
  readonly requestNo: number;
  readonly status: 'pending' | 'in_progress';
};

/**
 * Runs in the caller's transaction. Returns how many requests it cancelled; the others have made progress
 * in the meantime.
 */
export async function cancelAgain(
  sql: Sql,
  requestNos: readonly number[],
  by: Actor,
): Promise<number> {
  const rows = await sql.all<Row>(
    `SELECT request_no AS "requestNo", controller_id AS "controllerId",
            subject_request_id AS "subjectRequestId", status
     FROM @requests WHERE request_no = ANY(:requestNos::bigint[]) ORDER BY request_no FOR UPDATE`,
    { requestNos },
  );
  // After the requests are locked, because starting and leasing change what this depends on.
  await sql.all(
    `SELECT 1 FROM @tasks WHERE request_no = ANY(:requestNos::bigint[])
     ORDER BY task_no FOR UPDATE`,
    { requestNos },
  );
  const worked = await sql.all<{ requestNo: number; worked: number }>(
    `SELECT request_no AS "requestNo", ${WORKED_ON} AS worked FROM @requests AS known
     WHERE request_no = ANY(:requestNos::bigint[])`,
    { requestNos },
  );
  const workedOn = new Set(worked.flatMap((it) => (it.worked > 0 ? [it.requestNo] : [])));
  const chosen = rows.filter((it) => cancelsAgain(it.status, workedOn.has(it.requestNo)));
  await cancelRequests(
    sql,
    chosen.map(({ requestNo }) => requestNo),
    by.now,
  );
  await appendAudit(
    sql,
    chosen.map((request) => {
      const detail = JSON.stringify({ restored: true });
      const { requestNo } = request;
      return { ...auditOfRequest(request, 'request.cancelled', by), detail, requestNo };
    }),
  );
  await countDaily(
    sql,
    chosen.map(({ controllerId }) => {
      return { what: 'cancelled', whose: controllerId, count: 1, time: by.now };
    }),
  );
  return chosen.length;
}
