// What operators may do with a request, in either store.
import type { RequestStatus } from '@unwrite/protocol';
import type { AuditAction, NewAuditRow } from '../audit/audit-row.ts';
import { type Actor, NotPossible } from '../task/operator-ports.ts';
import { requireAnother } from './entered.ts';
import type { RequestKey } from './request.ts';

export interface OperatedRequest extends RequestKey {
  readonly requestNo: number;
  readonly status: RequestStatus;
  readonly identityCount: number;
  readonly createdBy: string;
}

export function noRequest({ subjectRequestId }: RequestKey): NotPossible {
  return new NotPossible(`there is no request ${subjectRequestId}`);
}

/** If two operators decide at the same moment, the second waits for the first and then sees another state. */
export function requireSeenRequest(request: OperatedRequest, { seenRequest }: Actor): void {
  if (seenRequest === undefined) return;
  const { status, identityCount } = seenRequest;
  if (request.status === status && request.identityCount === identityCount) return;
  throw new NotPossible('the request has changed since you read it; read it again, then decide');
}

export function requireStartable(request: OperatedRequest, by: Actor): void {
  if (request.status !== 'pending') throw notIn(request, 'started; only pending ones are');
  requireAnother(request, by, 'start it early');
}

export function requireCancellable(request: OperatedRequest): void {
  if (request.status !== 'pending') throw notIn(request, 'cancelled; only pending ones are');
}

export function requireExtendable(request: OperatedRequest): void {
  if (request.status !== 'pending' && request.status !== 'in_progress') {
    throw notIn(request, 'extended');
  }
}

/** A completed request may have a later run under way. */
export function requireRetryable(request: OperatedRequest, hasOpenTask: boolean): void {
  const isAgain = request.status === 'completed' && hasOpenTask;
  if (request.status !== 'in_progress' && !isAgain) {
    throw notIn(request, 'retried; only those in progress are');
  }
}

/** A completed request is completed for all its identities, even if a later run is under way. */
export function requireIdentifiable(request: OperatedRequest): void {
  if (request.status !== 'pending' && request.status !== 'in_progress') {
    throw notIn(request, 'given identities');
  }
}

function notIn({ subjectRequestId, status }: OperatedRequest, what: string): NotPossible {
  return new NotPossible(`request ${subjectRequestId} is ${status} and cannot be ${what}`);
}

export function auditOfRequest(
  { controllerId, subjectRequestId }: RequestKey,
  action: AuditAction,
  { actor, now }: Actor,
): NewAuditRow {
  return { time: now, actor, action, controllerId, subjectRequestId, detail: null };
}
