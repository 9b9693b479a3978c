import type { RequestKey } from '../../../domain/request/request.ts';
import { auditOfRequest } from '../../../domain/request/request-rules.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import type { Sql } from '../../sql.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { digestEvidence } from '../tasks/evidence-text.ts';

/**
 * Writes an audit row for each task that ended since the last receipt; the next receipt relies on these
 * rows. Returns how many.
 */
export async function acceptEvidence(
  sql: Sql,
  requestNo: number,
  reason: string,
  by: Actor,
): Promise<number> {
  const request = await sql.get<RequestKey>(
    `SELECT controller_id AS "controllerId", subject_request_id AS "subjectRequestId"
     FROM @requests WHERE request_no = :requestNo FOR UPDATE`,
    { requestNo },
  );
  if (request === undefined) return 0;
  const tasks = await sql.all<{ taskNo: number; target: string; evidence: string }>(
    `SELECT task_no AS "taskNo", target, evidence FROM @tasks
     WHERE request_no = :requestNo AND state = 'erased' AND task_no > (
       SELECT coalesce(max(last_task_no), 0) FROM @receipts WHERE request_no = :requestNo)
     ORDER BY task_no`,
    { requestNo },
  );
  await appendAudit(
    sql,
    tasks.map(({ taskNo, target, evidence }) => {
      const detail = { target, task: taskNo, reason, evidence: digestEvidence(evidence) };
      const row = auditOfRequest(request, 'evidence.accepted', by);
      return { ...row, detail: JSON.stringify(detail), requestNo };
    }),
  );
  return tasks.length;
}
