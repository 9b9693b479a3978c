// The creation of a request as a row of its history. The row of the audit log itself is found by no index, as creates
// would have to pay for it; the request has the same content, and its number is left open.
import type { AuditRow } from '../../domain/audit/audit-row.ts';
import type { RequestSummary } from '../../domain/request/request.ts';

/** Below the numbers of all rows of the log. */
export const UNNUMBERED = 0;

export function creationRow(request: RequestSummary): AuditRow {
  const { regulation, submittedTime, controllerId, subjectRequestId } = request;
  return {
    auditNo: UNNUMBERED,
    time: request.receivedTime,
    actor: request.createdBy,
    action: 'request.created',
    controllerId,
    subjectRequestId,
    detail: JSON.stringify({ regulation, submitted_time: submittedTime }),
  };
}
