import type { DatabaseSync } from 'node:sqlite';
import type { RequestKey } from '../../domain/request.ts';
import type { AppendAudit } from './audit.ts';

/** Inside the transaction that ended tasks of these requests. Their status stays `completed`. */
export function prepareEndEraseAgain(database: DatabaseSync, appendAudit: AppendAudit) {
  const end = database.prepare(`
    UPDATE requests SET again_asked_time = NULL
    WHERE request_no IN (SELECT value FROM json_each(?))
      AND again_asked_time IS NOT NULL AND status = 'completed'
      AND NOT EXISTS (
        SELECT 1 FROM tasks WHERE tasks.request_no = requests.request_no AND state <> 'erased'
      )
    RETURNING request_no AS requestNo, controller_id AS controllerId,
              subject_request_id AS subjectRequestId
  `);
  return (requestNos: readonly number[], now: number): void => {
    const rows = end.all(JSON.stringify(requestNos));
    for (const row of rows as unknown as (RequestKey & { requestNo: number })[]) {
      const { controllerId, subjectRequestId, requestNo } = row;
      const action = 'request.erased_again';
      appendAudit(
        { time: now, actor: 'system', action, controllerId, subjectRequestId, detail: null },
        requestNo,
      );
    }
  };
}
