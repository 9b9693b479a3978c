// What the MAC of an audit row covers: everything in it except its number, which PostgreSQL's sealer assigns
// later.
import type { ClaimedRow } from '../keys/row-macs.ts';
import type { CancelCommand, NewRequest } from '../request/request.ts';

export interface ClaimedAuditRow {
  readonly time: number;
  readonly actor: string;
  readonly action: string;
  readonly controllerId: string | null;
  readonly subjectRequestId: string | null;
  readonly detail: string | null;
  readonly requestNo?: number | bigint | null;
}

const CREATED = 'request.created';

/** The id names a request that is being created: it has no number yet if one statement creates many. */
export function auditClaim(row: ClaimedAuditRow): ClaimedRow {
  const { time, actor, action, controllerId, subjectRequestId, detail, requestNo } = row;
  const no = action === CREATED || requestNo == null ? null : Number(requestNo);
  return {
    kind: 'audit row',
    id: action,
    fields: [time, actor, controllerId, subjectRequestId, detail, no],
  };
}

export interface CreatedRequest {
  readonly controllerId: string;
  readonly subjectRequestId: string;
  readonly regulation: string;
  readonly submittedTime: string;
  readonly receivedTime: number;
  readonly createdBy: string;
  /** Whether it came with identities. */
  readonly isNamed?: boolean;
}

/**
 * The audit row of the creation. The request itself carries the same MAC, so that a change of its columns is
 * noticed.
 */
export function createdRow(request: NewRequest, receivedTime: number) {
  const { actor: createdBy, identities } = request;
  return rowOf({ ...request, receivedTime, createdBy, isNamed: identities.length > 0 });
}

function rowOf(request: CreatedRequest) {
  const { controllerId, subjectRequestId, regulation, submittedTime, isNamed } = request;
  return {
    time: request.receivedTime,
    actor: request.createdBy,
    action: CREATED,
    controllerId,
    subjectRequestId,
    detail: JSON.stringify({ regulation, submitted_time: submittedTime, named: isNamed }),
  } as const;
}

/** `subjectRequestId`: as the request has it, which may differ in case from the call. */
export function cancelledRow(
  { controllerId, subjectRequestId, actor }: CancelCommand,
  time: number,
) {
  const action = 'request.cancelled';
  return { time, actor, action, controllerId, subjectRequestId, detail: null } as const;
}

export function createdClaim(request: CreatedRequest): ClaimedRow {
  return auditClaim(rowOf(request));
}
