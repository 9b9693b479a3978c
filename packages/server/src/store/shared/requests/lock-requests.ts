// The row of a request is the lock for the request and all its tasks: a transaction that starts, settles,
// shreds or changes a request, or adds tasks to it, locks that row first. Everything that it reads after that, in
// a separate statement, is not changed by others before it ends. Only a lease takes a task without this
// lock: a transaction that depends on the state of open tasks must lock those as well. Rows are locked in
// the same order everywhere, to avoid deadlocks: a batch, requests by number, tasks by number, plans,
// counts. On SQLite there is only one writing transaction anyway.
import type { RequestKey } from '../../../domain/request/request.ts';
import type { OperatedRequest } from '../../../domain/request/request-rules.ts';
import type { Sql } from '../../sql.ts';
import { readRequest } from './read-request.ts';

/** An archived request is returned without a lock: it is final and never changes. */
export function lockRequest(sql: Sql, key: RequestKey): Promise<OperatedRequest | undefined> {
  const columns = 'status, identity_count AS "identityCount", created_by AS "createdBy"';
  return readRequest<OperatedRequest>(sql, key, columns, 'FOR UPDATE');
}

export async function lockTasks(sql: Sql, requestNo: number): Promise<void> {
  await sql.all(
    `SELECT 1 FROM @tasks WHERE request_no = :requestNo AND state <> 'erased'
     ORDER BY task_no FOR UPDATE`,
    { requestNo },
  );
}
