import type { KnownHead } from '../../domain/proof-ports.ts';
import type { ReceiptFacts } from '../../domain/receipt.ts';
import {
  factsOf,
  type LastReceiptRow,
  type ReceiptRequestRow,
  type ReceiptTaskRow,
} from '../receipt-facts.ts';
import type { Sql } from './database.ts';

type OfRequest<Row> = Row & { readonly requestNo: number };

export async function readReceiptFacts(
  sql: Sql,
  requestNos: readonly number[],
): Promise<ReceiptFacts[]> {
  const requests = await sql.all<ReceiptRequestRow>(
    `SELECT request_no AS "requestNo", controller_id AS "controllerId",
            subject_request_id AS "subjectRequestId", regulation,
            submitted_time AS "submittedTime", received_time AS "receivedTime",
            started_time AS "startedTime", completed_time AS "completedTime",
            plans.targets AS plan
     FROM @requests LEFT JOIN @plans USING (plan_id)
     WHERE request_no = ANY($1::bigint[]) AND status = 'completed'`,
    [requestNos],
  );
  const receipts = await sql.all<OfRequest<LastReceiptRow>>(
    `SELECT DISTINCT ON (request_no) request_no AS "requestNo", receipt_no AS "receiptNo",
            document, last_task_no AS "lastTaskNo"
     FROM @receipts WHERE request_no = ANY($1::bigint[]) ORDER BY request_no, receipt_no DESC`,
    [requestNos],
  );
  const before = new Map(receipts.map((row) => [row.requestNo, row]));
  const tasks = await readTasks(
    sql,
    requests.map(({ requestNo }) => requestNo),
    requests.map(({ requestNo }) => before.get(requestNo)?.lastTaskNo ?? 0),
  );
  const tasksOf = Map.groupBy(tasks, ({ requestNo }) => requestNo);
  const head = await sql.one<KnownHead>(
    `SELECT head_no AS "headNo", encode(hash, 'hex') AS hash FROM @audit_heads
     ORDER BY head_no DESC LIMIT 1`,
  );
  return requests.map((request) => {
    const { requestNo } = request;
    return factsOf(request, tasksOf.get(requestNo) ?? [], before.get(requestNo), head);
  });
}

/** What a later run has not ended yet is for the addendum. */
function readTasks(
  sql: Sql,
  requestNos: readonly number[],
  after: readonly number[],
): Promise<OfRequest<ReceiptTaskRow>[]> {
  return sql.all(
    `SELECT t.request_no AS "requestNo", task_no AS "taskNo", target, run, evidence
     FROM unnest($1::bigint[], $2::bigint[]) AS due (request_no, after)
     JOIN @tasks AS t ON t.request_no = due.request_no AND t.task_no > due.after
     WHERE state = 'erased' AND NOT EXISTS (
       SELECT 1 FROM @tasks AS open WHERE open.request_no = t.request_no
         AND open.state <> 'erased' AND open.task_no < t.task_no)
     ORDER BY task_no`,
    [requestNos, after],
  );
}
