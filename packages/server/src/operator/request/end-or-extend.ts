// An operator cancels a pending request, or records that its controller has extended the statutory deadline.
import { latestExtension, statutoryLimit } from '../../domain/deadline/statutory-deadline.ts';
import { dayOf } from '../../domain/limit/day.ts';
import type { RequestSummary } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import type { Actor, Extension } from '../../domain/task/operator-ports.ts';
import { InvalidInput } from '../failures.ts';
import { findRequest } from './find-request.ts';
import type { NamedRequest } from './operate-request.ts';
import { refuseIdentitiesIn } from './refuse-identities.ts';
import type { IdentityAccess } from './request-identities.ts';

interface Parts {
  readonly store: Pick<Store, 'tenants' | 'catalogue' | 'operator' | 'tasks'>;
  readonly identities: IdentityAccess;
}

export async function cancelRequest(
  parts: Parts,
  { id, controller }: NamedRequest,
  reason: string,
  by: Actor,
): Promise<RequestSummary> {
  const request = await findRequest(parts.store, id, controller);
  await refuseIdentitiesIn({ reason }, parts, request);
  await parts.store.operator.cancel(request, reason, by);
  return request;
}

/** `expected_completion_time` never moves: the controller was told it when the request was received. */
export async function extendRequest(
  parts: Parts,
  { id, controller }: NamedRequest,
  { until, reason }: Extension,
  by: Actor,
): Promise<RequestSummary> {
  const request = await findRequest(parts.store, id, controller);
  const earliest = statutoryLimit(request).end;
  const latest = latestExtension(request);
  // The last day, to the moment at which it ends for this request.
  const end = dayOf(until) === dayOf(latest) ? latest : until;
  if (request.extendedUntil === end) return request;
  if (end <= earliest || end > latest) {
    const span = [earliest, latest].map((time) => new Date(time).toISOString());
    throw new InvalidInput('until', `must be after ${span[0]} and at most ${span[1]}`);
  }
  await refuseIdentitiesIn({ reason }, parts, request);
  await parts.store.operator.extend(request, { until: end, reason }, by);
  return findRequest(parts.store, id, controller);
}
