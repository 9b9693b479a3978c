import type { DatabaseSync } from 'node:sqlite';
import type { RequestKey } from '../../domain/request.ts';
import type { AppendAudit } from './audit.ts';

/**
 * Inside the transaction that ended tasks of these requests, so there are some: the last to end
 * completes its request.
 */
export function prepareSettleRequests(database: DatabaseSync, appendAudit: AppendAudit) {
  const complete = database.prepare(`
    UPDATE requests SET status = 'completed', completed_time = :now
    WHERE request_no IN (SELECT value FROM json_each(:requestNos))
      AND status = 'in_progress' AND plan_id IS NOT NULL
      AND NOT EXISTS (
        SELECT 1 FROM tasks WHERE tasks.request_no = requests.request_no AND state <> 'erased'
      )
    RETURNING request_no AS requestNo, controller_id AS controllerId,
              subject_request_id AS subjectRequestId
  `);
  return (requestNos: readonly number[], now: number): void => {
    const rows = complete.all({ requestNos: JSON.stringify(requestNos), now });
    for (const row of rows as unknown as (RequestKey & { requestNo: number })[]) {
      const { controllerId, subjectRequestId, requestNo } = row;
      const action = 'request.completed';
      appendAudit(
        { time: now, actor: 'system', action, controllerId, subjectRequestId, detail: null },
        requestNo,
      );
    }
  };
}
