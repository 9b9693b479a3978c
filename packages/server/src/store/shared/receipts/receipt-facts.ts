// Reads the facts for a receipt.
import { auditClaim } from '../../../domain/audit/audit-claim.ts';
import type { ChainedRow } from '../../../domain/audit/proof-ports.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type { FullReceipt } from '../../../domain/receipt/documents.ts';
import { RECEIPT_ACTIONS, UNREADABLE } from '../../../domain/receipt/evidence-rules.ts';
import type { GivenReceipt, ReceiptFacts } from '../../../domain/receipt/receipt.ts';
import { evidenceFromJson, objectFromJson, plannedFromJson } from '../../../domain/stored-json.ts';
import { rowsOf, type Sql } from '../../sql.ts';
import { AUDIT_ROW } from '../audit/audit-log.ts';
import {
  type LoggedKey,
  OF_REQUESTS,
  type RowsOfRequest,
  requestIdsOf,
  rowsByRequest,
} from '../audit/rows-of-requests.ts';
import { CREATED_COLUMNS, isAsCreated } from '../requests/as-created.ts';
import { digestEvidence } from '../tasks/evidence-text.ts';

type OfOthers = 'plan' | 'planDigest' | 'tasks' | 'previous' | 'rows' | 'isAsCreated';

interface RequestRow extends Omit<ReceiptFacts, OfOthers> {
  readonly plan: string | null;
  readonly createdMac: Uint8Array | null;
}

interface TaskRow extends Omit<ReceiptFacts['tasks'][number], 'evidence' | 'digest'> {
  readonly requestNo: number;
  readonly evidence: string;
}

interface ReceiptRow extends ChainedRow {
  readonly bytesOfMac: Uint8Array | null;
}

interface LastReceipt extends GivenReceipt {
  readonly requestNo: number;
  readonly receiptNo: number;
}

export async function readReceiptFacts(
  sql: Sql,
  macs: RowMacs,
  requestNos: readonly number[],
): Promise<ReceiptFacts[]> {
  const requests = await sql.all<RequestRow>(
    `SELECT request_no AS "requestNo", ${CREATED_COLUMNS},
            started_time AS "startedTime", completed_time AS "completedTime",
            plan_id AS "planId", plans.targets AS plan
     FROM @requests LEFT JOIN @plans USING (plan_id)
     WHERE request_no = ANY(:requestNos::bigint[]) AND status = 'completed'`,
    { requestNos },
  );
  if (requests.length === 0) return [];
  const before = await readLastReceipts(sql, requestNos);
  const tasks = await readTasks(
    sql,
    requests.map(({ requestNo }) => {
      return { requestNo, after: lastTaskOf(before.get(requestNo)) };
    }),
  );
  const loggedRows = await readReceiptRows(sql, macs, requests);
  return requests.map(({ plan, createdMac, ...request }) => {
    const previous = before.get(request.requestNo);
    const { own: rows, isRenumbered } = loggedRows(request);
    return {
      ...request,
      isAsCreated: !isRenumbered && isAsCreated(macs, { ...request, createdMac }),
      planDigest: plan && digestEvidence(plan),
      plan: plannedFromJson(plan ?? '[]') ?? [],
      tasks: (tasks.get(request.requestNo) ?? []).map(({ taskNo, target, run, evidence }) => {
        const digest = digestEvidence(evidence);
        return { taskNo, target, run, evidence: evidenceFromJson(evidence) ?? UNREADABLE, digest };
      }),
      previous: previous ?? null,
      rows: rows.map(({ bytesOfMac: _, ...row }) => row),
    };
  });
}

/** Reads the number from the document, not from the column next to it: the log has digests of the documents only. */
function lastTaskOf(receipt: LastReceipt | undefined): number {
  if (receipt === undefined) return 0;
  const { tasks } = (objectFromJson(receipt.fullDocument) ?? {}) as Partial<FullReceipt>;
  const numbers = Array.isArray(tasks) ? tasks.map((it) => Number(it?.task)) : [];
  return Math.max(0, ...numbers.filter(Number.isSafeInteger));
}

async function readLastReceipts(
  sql: Sql,
  requestNos: readonly number[],
): Promise<Map<number, LastReceipt>> {
  const rows = await sql.all<LastReceipt>(
    `SELECT request_no AS "requestNo", receipt_no AS "receiptNo", document,
            full_document AS "fullDocument"
     FROM @receipts AS r
     WHERE request_no = ANY(:requestNos::bigint[]) AND receipt_no = (
       SELECT max(receipt_no) FROM @receipts AS newer WHERE newer.request_no = r.request_no)`,
    { requestNos },
  );
  return new Map(rows.map((row) => [row.requestNo, row]));
}

/** Tasks of a later run that have not ended are left for the addendum. */
async function readTasks(
  sql: Sql,
  due: readonly { readonly requestNo: number; readonly after: number }[],
): Promise<Map<number, TaskRow[]>> {
  const rows = await sql.all<TaskRow>(
    `SELECT t.request_no AS "requestNo", task_no AS "taskNo", target, run, evidence
     FROM json_to_recordset(:due::json) AS due ("requestNo" bigint, after bigint)
     JOIN @tasks AS t ON t.request_no = due."requestNo" AND t.task_no > due.after
     WHERE state = 'erased' AND NOT EXISTS (
       SELECT 1 FROM @tasks AS open WHERE open.request_no = t.request_no
         AND open.state <> 'erased' AND open.task_no < t.task_no)
     ORDER BY task_no`,
    { due: rowsOf(due) },
  );
  return Map.groupBy(rows, ({ requestNo }) => requestNo);
}

/** Rows without a number come last. */
export async function readReceiptRows(
  sql: Sql,
  macs: RowMacs,
  requests: readonly Pick<LoggedKey, 'subjectRequestId'>[],
): Promise<(request: LoggedKey) => RowsOfRequest<ReceiptRow>> {
  const tables = sql.dialect.auditTables.map(
    (table) => `SELECT ${AUDIT_ROW}, request_no AS "requestNo", mac AS "bytesOfMac" FROM ${table}
      WHERE ${OF_REQUESTS} AND action = ANY(:actions::text[])`,
  );
  const rows = await sql.all<ReceiptRow>(`${tables.join(' UNION ALL ')} ORDER BY "auditNo"`, {
    requestIds: requestIdsOf(requests),
    actions: RECEIPT_ACTIONS,
  });
  return rowsByRequest(rows, (row) => macs.verify(auditClaim(row), row.bytesOfMac));
}
