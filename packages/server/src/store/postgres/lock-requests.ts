// A request's row stands for the request with all its tasks: whoever starts, settles, shreds or changes it,
// or adds tasks to it, holds that row first. What is looked at after that, in a statement of its own, nobody
// else changes before the end of the transaction. Only a lease takes a task without it: whoever depends on
// the state of open tasks holds those as well.
//
// Everybody waits in the same order, so that nobody waits in a circle: a batch, requests by their numbers,
// tasks by theirs, plans, counts.
import { isSubjectRequestId } from '@unwrite/protocol';
import type { RequestKey } from '../../domain/request.ts';
import type { OperatedRequest } from '../request-rules.ts';
import type { Sql } from './database.ts';

const COLUMNS = `request_no AS "requestNo", controller_id AS "controllerId",
  subject_request_id AS "subjectRequestId", status`;

/** One that is archived is answered as it is: it is final, and nothing changes it any more. */
export async function lockRequest(
  sql: Sql,
  { controllerId, subjectRequestId }: RequestKey,
): Promise<OperatedRequest | undefined> {
  if (!isSubjectRequestId(subjectRequestId)) return undefined;
  const values = [subjectRequestId, controllerId];
  const row = await sql.get<OperatedRequest>(
    `SELECT ${COLUMNS} FROM @requests
     WHERE request_uuid = $1::uuid AND controller_id = $2 FOR UPDATE`,
    values,
  );
  return (
    row ??
    (await sql.get<OperatedRequest>(
      `SELECT ${COLUMNS} FROM @archived_requests
       WHERE request_uuid = $1::uuid AND controller_id = $2`,
      values,
    ))
  );
}

export async function lockTasks(sql: Sql, requestNo: number): Promise<void> {
  await sql.run(
    `SELECT 1 FROM @tasks WHERE request_no = $1 AND state <> 'erased' ORDER BY task_no FOR UPDATE`,
    [requestNo],
  );
}
