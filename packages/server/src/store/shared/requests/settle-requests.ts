import type { AuditAction } from '../../../domain/audit/audit-row.ts';
import type { DailyCount } from '../../../domain/limit/daily-count.ts';
import { endedTask, foundNothing } from '../../../domain/request/outcome.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import { auditOfRequest } from '../../../domain/request/request-rules.ts';
import {
  completes,
  type DoneRequest,
  endsEraseAgain,
  wantsAddendum,
} from '../../../domain/request/settle.ts';
import { evidenceFromJson } from '../../../domain/stored-json.ts';
import type { Sql } from '../../sql.ts';
import { type AuditEntry, appendAudit } from '../audit/append-audit.ts';
import { countDaily } from '../tasks/daily-counts.ts';
import { holdUnproven, type SettledKey } from './unproven-ends.ts';

/** Written last: the audit rows must follow those of the tasks, and the counts are contended locks. */
export interface Settled {
  readonly entries: readonly AuditEntry[];
  readonly counts: readonly DailyCount[];
}

interface SettledRow extends RequestKey {
  readonly requestNo: number;
}

/**
 * Runs in a transaction that has locked these requests and ended some of their tasks. The last task to end
 * completes its request: of two transactions that end tasks of one request at the same time, the second
 * waits for the lock and sees the first one's result.
 */
export async function settleRequests(
  sql: Sql,
  requestNos: readonly number[],
  now: number,
  /** Requests of which rows were erased just now: this need not be read for them. */
  somewhere: ReadonlySet<number> = new Set(),
  /** Rows about the ends of tasks that the caller appends later. */
  ending: readonly AuditEntry[] = [],
): Promise<Settled> {
  const done = await sql.all<DoneRequest & SettledKey>(
    `SELECT request_no AS "requestNo", controller_id AS "controllerId",
            subject_request_id AS "subjectRequestId", received_time AS "receivedTime", status, plan_id IS NOT NULL AS "isPlanned",
            again_asked_time IS NOT NULL AS "isAgain", receipted_time IS NOT NULL AS "isReceipted"
     FROM @requests
     WHERE request_no = ANY(:requestNos::bigint[]) AND NOT EXISTS (
       SELECT 1 FROM @tasks WHERE tasks.request_no = requests.request_no AND state <> 'erased')`,
    { requestNos },
  );
  const numbers = (which: (request: DoneRequest) => boolean) =>
    done.filter(which).map(({ requestNo }) => requestNo);
  const again = await update(sql, 'again_asked_time = NULL', numbers(endsEraseAgain));
  await update(sql, 'receipted_time = NULL', numbers(wantsAddendum));
  const unproven = await holdUnproven(sql, done.filter(completes), ending, now);
  const whole = numbers(completes).filter((requestNo) => !unproven.requestNos.has(requestNo));
  const changes = `status = 'completed', completed_time = :now`;
  const completed = await update(sql, changes, whole, { now });
  const found = await foundSomewhere(
    sql,
    whole.filter((requestNo) => !somewhere.has(requestNo)),
  );
  const isNowhere = ({ requestNo }: SettledRow) =>
    !somewhere.has(requestNo) && !found.has(requestNo);
  const entriesOf = (rows: readonly SettledRow[], action: AuditAction) =>
    rows.map((row) => ({
      ...auditOfRequest(row, action, { actor: 'system', now }),
      requestNo: row.requestNo,
    }));
  return {
    entries: [
      ...unproven.entries,
      ...entriesOf(again, 'request.erased_again'),
      ...entriesOf(completed, 'request.completed'),
    ],
    counts: completed.flatMap((row) => [
      { what: 'completed', whose: row.controllerId, count: 1, time: now },
      { what: 'nowhere', whose: row.controllerId, count: isNowhere(row) ? 1 : 0, time: now },
    ]),
  };
}

export async function writeSettled(sql: Sql, { entries, counts }: Settled): Promise<void> {
  await appendAudit(sql, entries);
  await countDaily(sql, counts);
}

async function update(
  sql: Sql,
  changes: string,
  requestNos: readonly number[],
  values: { readonly now?: number } = {},
): Promise<SettledRow[]> {
  if (requestNos.length === 0) return [];
  return sql.all(
    `UPDATE @requests SET ${changes} WHERE request_no = ANY(:requestNos::bigint[])
     RETURNING request_no AS "requestNo", controller_id AS "controllerId",
               subject_request_id AS "subjectRequestId"`,
    { requestNos, ...values },
  );
}

async function foundSomewhere(sql: Sql, requestNos: readonly number[]): Promise<Set<number>> {
  if (requestNos.length === 0) return new Set();
  const rows = await sql.all<{ readonly requestNo: number; readonly evidence: string }>(
    `SELECT request_no AS "requestNo", evidence FROM @tasks
     WHERE request_no = ANY(:requestNos::bigint[]) AND evidence IS NOT NULL`,
    { requestNos },
  );
  const found = rows.filter(({ evidence: text }) => {
    const evidence = evidenceFromJson(text);
    return evidence === undefined || !foundNothing(endedTask(evidence));
  });
  return new Set(found.map(({ requestNo }) => requestNo));
}
