// What is read for a receipt.
import type { KnownHead } from '../../../domain/audit/proof-ports.ts';
import type { ReceiptFacts } from '../../../domain/receipt/receipt.ts';
import type { Evidence, Plan } from '../../../domain/task/task.ts';
import { hex, rowsOf, type Sql } from '../../sql.ts';

interface RequestRow extends Omit<ReceiptFacts, 'plan' | 'tasks' | 'previous' | 'head'> {
  readonly plan: string | null;
}

interface TaskRow extends Omit<ReceiptFacts['tasks'][number], 'evidence'> {
  readonly requestNo: number;
  readonly evidence: string;
}

interface LastReceipt {
  readonly requestNo: number;
  readonly receiptNo: number;
  readonly document: string;
  readonly lastTaskNo: number;
}

export async function readReceiptFacts(
  sql: Sql,
  requestNos: readonly number[],
): Promise<ReceiptFacts[]> {
  const requests = await sql.all<RequestRow>(
    `SELECT request_no AS "requestNo", controller_id AS "controllerId",
            subject_request_id AS "subjectRequestId", regulation,
            submitted_time AS "submittedTime", received_time AS "receivedTime",
            started_time AS "startedTime", completed_time AS "completedTime",
            plans.targets AS plan
     FROM @requests LEFT JOIN @plans USING (plan_id)
     WHERE request_no = ANY(:requestNos::bigint[]) AND status = 'completed'`,
    { requestNos },
  );
  if (requests.length === 0) return [];
  const before = await readLastReceipts(sql, requestNos);
  const tasks = await readTasks(
    sql,
    requests.map(({ requestNo }) => {
      return { requestNo, after: before.get(requestNo)?.lastTaskNo ?? 0 };
    }),
  );
  const head = await readHead(sql);
  return requests.map(({ plan, ...request }) => {
    const previous = before.get(request.requestNo);
    return {
      ...request,
      plan: JSON.parse(plan ?? '[]') as Plan['targets'],
      tasks: (tasks.get(request.requestNo) ?? []).map(({ taskNo, target, run, evidence }) => {
        return { taskNo, target, run, evidence: JSON.parse(evidence) as Evidence };
      }),
      previous: previous ? { receiptNo: previous.receiptNo, document: previous.document } : null,
      head,
    };
  });
}

async function readLastReceipts(
  sql: Sql,
  requestNos: readonly number[],
): Promise<Map<number, LastReceipt>> {
  const rows = await sql.all<LastReceipt>(
    `SELECT request_no AS "requestNo", receipt_no AS "receiptNo", document,
            last_task_no AS "lastTaskNo"
     FROM @receipts AS r
     WHERE request_no = ANY(:requestNos::bigint[]) AND receipt_no = (
       SELECT max(receipt_no) FROM @receipts AS newer WHERE newer.request_no = r.request_no)`,
    { requestNos },
  );
  return new Map(rows.map((row) => [row.requestNo, row]));
}

/** What a later run has not ended yet is for the addendum. */
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

async function readHead(sql: Sql): Promise<KnownHead | null> {
  const row = await sql.get<{ headNo: number; hash: Uint8Array }>(
    'SELECT head_no AS "headNo", hash FROM @audit_heads ORDER BY head_no DESC LIMIT 1',
  );
  return row === undefined ? null : { headNo: row.headNo, hash: hex(row.hash) };
}
