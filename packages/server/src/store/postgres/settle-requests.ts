import type { RequestStatus } from '@unwrite/protocol';
import type { RequestKey } from '../../domain/request.ts';
import type { DailyCount } from '../daily-count.ts';
import { auditOfRequest } from '../request-rules.ts';
import type { AuditEntry } from '../shared/audit/append-audit.ts';
import type { Sql } from './database.ts';
import { endEraseAgain } from './end-erase-again.ts';

/** To be written last: the audit rows after those of the tasks, the counts because others wait for them. */
export interface Settled {
  readonly entries: readonly AuditEntry[];
  readonly counts: readonly DailyCount[];
}

interface DoneRow {
  readonly requestNo: number;
  readonly status: RequestStatus;
  readonly isPlanned: boolean;
  readonly isAgain: boolean;
  readonly isReceipted: boolean;
}

/**
 * Inside a transaction that holds these requests and ended tasks of them, so there are some. The last to
 * end completes its request: whoever ended another at the same time has waited for the request, and sees
 * ours, or we have seen theirs.
 */
export async function settleRequests(
  sql: Sql,
  requestNos: readonly number[],
  now: number,
  /** Those of which something was erased just now: they need not be asked. */
  somewhere: ReadonlySet<number> = new Set(),
): Promise<Settled> {
  const done = await sql.all<DoneRow>(
    `SELECT request_no AS "requestNo", status, plan_id IS NOT NULL AS "isPlanned",
            again_asked_time IS NOT NULL AS "isAgain", receipted_time IS NOT NULL AS "isReceipted"
     FROM @requests
     WHERE request_no = ANY($1::bigint[]) AND NOT EXISTS (
       SELECT 1 FROM @tasks WHERE tasks.request_no = requests.request_no AND state <> 'erased')`,
    [requestNos],
  );
  const numbers = (which: (row: DoneRow) => boolean) =>
    done.filter(which).map(({ requestNo }) => requestNo);
  const again = numbers(({ status, isAgain }) => status === 'completed' && isAgain);
  const endedAgain = await endEraseAgain(sql, again, now);
  await wantAddenda(
    sql,
    numbers(({ status, isReceipted }) => status === 'completed' && isReceipted),
  );
  const whole = numbers(({ status, isPlanned }) => status === 'in_progress' && isPlanned);
  const completed = await complete(sql, whole, somewhere, now);
  const by = { actor: 'system', now };
  return {
    entries: [
      ...endedAgain,
      ...completed.map((row) => ({
        ...auditOfRequest(row, 'request.completed', by),
        requestNo: row.requestNo,
      })),
    ],
    counts: completed.flatMap(({ controllerId: whose, isNowhere }) => [
      { what: 'completed', whose, count: 1, time: now },
      { what: 'nowhere', whose, count: isNowhere ? 1 : 0, time: now },
    ]),
  };
}

/** A later run of a completed request: its receipt gets an addendum. */
async function wantAddenda(sql: Sql, requestNos: readonly number[]): Promise<void> {
  if (requestNos.length === 0) return;
  await sql.run('UPDATE @requests SET receipted_time = NULL WHERE request_no = ANY($1::bigint[])', [
    requestNos,
  ]);
}

interface CompletedRow extends RequestKey {
  readonly requestNo: number;
  /** None of its targets had anything of the person. */
  readonly isNowhere: boolean;
}

async function complete(
  sql: Sql,
  requestNos: readonly number[],
  somewhere: ReadonlySet<number>,
  now: number,
): Promise<CompletedRow[]> {
  if (requestNos.length === 0) return [];
  return sql.all(
    `UPDATE @requests SET status = 'completed', completed_time = $2
     WHERE request_no = ANY($1::bigint[])
     RETURNING request_no AS "requestNo", controller_id AS "controllerId",
               subject_request_id AS "subjectRequestId",
               CASE WHEN request_no = ANY($3::bigint[]) THEN NOT EXISTS (
                 SELECT 1 FROM @tasks WHERE tasks.request_no = requests.request_no
                   AND evidence::json ->> 'action' NOT IN ('not_found', 'skipped')
               ) ELSE false END AS "isNowhere"`,
    [requestNos, now, requestNos.filter((requestNo) => !somewhere.has(requestNo))],
  );
}
