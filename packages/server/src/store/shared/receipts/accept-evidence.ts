import {
  auditOfRequest,
  type OperatedRequest,
  requireSeenRequest,
} from '../../../domain/request/request-rules.ts';
import { objectFromJson } from '../../../domain/stored-json.ts';
import { type Actor, NotPossible } from '../../../domain/task/operator-ports.ts';
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
  const request = await sql.get<OperatedRequest>(
    `SELECT request_no AS "requestNo", controller_id AS "controllerId",
            subject_request_id AS "subjectRequestId", status, identity_count AS "identityCount"
     FROM @requests WHERE request_no = :requestNo FOR UPDATE`,
    { requestNo },
  );
  if (request === undefined) return 0;
  requireSeenRequest(request, by);
  const tasks = await sql.all<{ taskNo: number; target: string; evidence: string }>(
    `SELECT task_no AS "taskNo", target, evidence FROM @tasks
     WHERE request_no = :requestNo AND state = 'erased' AND task_no > (
       SELECT coalesce(max(last_task_no), 0) FROM @receipts WHERE request_no = :requestNo)
     ORDER BY task_no`,
    { requestNo },
  );
  const accepted = tasks.map(({ taskNo, target, evidence }) => {
    return { target, task: taskNo, reason, evidence: digestEvidence(evidence) };
  });
  if (by.seenRequest !== undefined) await requireNotAccepted(sql, requestNo, accepted);
  await appendAudit(
    sql,
    accepted.map((detail) => {
      const row = auditOfRequest(request, 'evidence.accepted', by);
      return { ...row, detail: JSON.stringify(detail), requestNo };
    }),
  );
  return tasks.length;
}

interface Accepted {
  readonly task: number;
  readonly evidence: string;
}

/** Two operators who decide by the same state: the second waits for the first, and is told. */
async function requireNotAccepted(
  sql: Sql,
  requestNo: number,
  wanted: readonly Accepted[],
): Promise<void> {
  const rows = await sql.all<{ detail: string }>(
    `SELECT detail FROM @audit_rows WHERE request_no = :requestNo AND action = 'evidence.accepted'
     UNION
     SELECT detail FROM @new_audit_rows WHERE request_no = :requestNo AND action = 'evidence.accepted'`,
    { requestNo },
  );
  const known = rows.map(({ detail }) => objectFromJson(detail));
  const isKnown = ({ task, evidence }: Accepted) =>
    known.some((it) => it?.task === task && it.evidence === evidence);
  if (wanted.every(isKnown)) throw new NotPossible('the evidence has been accepted already');
}
