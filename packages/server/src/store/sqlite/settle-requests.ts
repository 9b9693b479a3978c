import type { DatabaseSync } from 'node:sqlite';
import type { RequestKey } from '../../domain/request.ts';
import type { AppendAudit } from './audit.ts';
import { prepareCountDaily } from './daily-counts.ts';
import { prepareEndEraseAgain } from './end-erase-again.ts';

interface SettledRow extends RequestKey {
  readonly requestNo: number;
  /** 1: none of its targets had anything of the person. */
  readonly isNowhere: 0 | 1;
}

/**
 * Inside the transaction that ended tasks of these requests, so there are some: the last to end
 * completes its request.
 */
export function prepareSettleRequests(database: DatabaseSync, appendAudit: AppendAudit) {
  const countDaily = prepareCountDaily(database);
  const endEraseAgain = prepareEndEraseAgain(database, appendAudit);
  const complete = database.prepare(`
    UPDATE requests SET status = 'completed', completed_time = :now
    WHERE request_no IN (SELECT value FROM json_each(:requestNos))
      AND status = 'in_progress' AND plan_id IS NOT NULL
      AND NOT EXISTS (
        SELECT 1 FROM tasks WHERE tasks.request_no = requests.request_no AND state <> 'erased'
      )
    RETURNING request_no AS requestNo, controller_id AS controllerId,
              subject_request_id AS subjectRequestId,
              NOT EXISTS (
                SELECT 1 FROM tasks WHERE tasks.request_no = requests.request_no
                  AND evidence ->> 'action' NOT IN ('not_found', 'skipped')
              ) AS isNowhere
  `);
  // A later run of a completed request: its receipt gets an addendum.
  const wantAddendum = database.prepare(`
    UPDATE requests SET receipted_time = NULL
    WHERE request_no IN (SELECT value FROM json_each(?))
      AND status = 'completed' AND receipted_time IS NOT NULL
      AND NOT EXISTS (
        SELECT 1 FROM tasks WHERE tasks.request_no = requests.request_no AND state <> 'erased'
      )
  `);
  return (requestNos: readonly number[], now: number): void => {
    endEraseAgain(requestNos, now);
    wantAddendum.run(JSON.stringify(requestNos));
    const rows = complete.all({ requestNos: JSON.stringify(requestNos), now });
    const counts = new Map<string, { completed: number; nowhere: number }>();
    for (const row of rows as unknown as SettledRow[]) {
      const { controllerId, subjectRequestId, requestNo, isNowhere } = row;
      const count = counts.get(controllerId) ?? { completed: 0, nowhere: 0 };
      count.completed++;
      count.nowhere += isNowhere;
      counts.set(controllerId, count);
      const action = 'request.completed';
      appendAudit(
        { time: now, actor: 'system', action, controllerId, subjectRequestId, detail: null },
        requestNo,
      );
    }
    for (const [controllerId, { completed, nowhere }] of counts) {
      countDaily('completed', controllerId, completed, now);
      countDaily('nowhere', controllerId, nowhere, now);
    }
  };
}
