import type { DatabaseSync } from 'node:sqlite';
import type { RequestKey } from '../../domain/request.ts';
import type { AppendAudit } from './audit.ts';

/** Inside the transaction that ended a task, so there is one: the last to end completes the request. */
export function prepareSettleRequest(database: DatabaseSync, appendAudit: AppendAudit) {
  const complete = database.prepare(`
    UPDATE requests SET status = 'completed', completed_time = :now
    WHERE request_no = :requestNo AND status = 'in_progress' AND plan_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM tasks WHERE request_no = :requestNo AND state <> 'erased')
    RETURNING controller_id AS controllerId, subject_request_id AS subjectRequestId
  `);
  return (requestNo: number, now: number): boolean => {
    const row = complete.get({ requestNo, now }) as unknown as RequestKey | undefined;
    if (row === undefined) return false;
    const { controllerId, subjectRequestId } = row;
    const action = 'request.completed';
    appendAudit(
      { time: now, actor: 'system', action, controllerId, subjectRequestId, detail: null },
      requestNo,
    );
    return true;
  };
}
