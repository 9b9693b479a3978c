// Reveals one identity of a request for a reason. Who saw it and why is written to the audit log first.
import type { Identity } from '../../domain/request/identity.ts';
import type { Store } from '../../domain/store/store.ts';
import type { Actor } from '../../domain/task/operator-ports.ts';
import { NotFound } from '../failures.ts';
import { findRequest } from './find-request.ts';
import type { NamedRequest } from './operate-request.ts';
import { refuseIdentitiesIn } from './refuse-identities.ts';
import { type IdentityAccess, identitiesOf } from './request-identities.ts';

export interface RevealParts {
  readonly store: Pick<Store, 'tenants' | 'catalogue' | 'tasks' | 'operator'>;
  readonly identities: IdentityAccess;
}

/** `number`: position in the list of the request, starting at 1. */
export async function revealIdentity(
  parts: RevealParts,
  { id, controller }: NamedRequest,
  number: number,
  reason: string,
  by: Actor,
): Promise<Identity> {
  const request = await findRequest(parts.store, id, controller);
  const identity = (await identitiesOf(parts, request))[number - 1];
  if (identity === undefined) {
    throw new NotFound(
      `request ${request.subjectRequestId} has no identity ${number}; they are deleted some time after its end`,
    );
  }
  await refuseIdentitiesIn({ reason }, parts, request);
  await parts.store.operator.recordReveal(request, { identity: number, reason }, by);
  return identity;
}
