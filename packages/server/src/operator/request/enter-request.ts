// An operator enters a request for a controller, because a letter came in.
import { randomUUID } from 'node:crypto';
import { isCreateRequestBody, isSubjectRequestId, isTimestamp } from '@unwrite/protocol';
import type { Identity } from '../../domain/request/identity.ts';
import { newRequest } from '../../domain/request/new-request.ts';
import type { RequestSummary } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import { type Actor, NotPossible } from '../../domain/task/operator-ports.ts';
import { isClosed } from '../../domain/tenant/tenants.ts';
import { findController } from '../controller/find-controller.ts';
import { InvalidInput } from '../failures.ts';
import { findRequest } from './find-request.ts';
import type { IdentityAccess } from './request-identities.ts';

export interface EnteredRequest {
  readonly controller: string;
  readonly person: readonly Identity[];
  readonly regulation: string;
  /** Made up if left out. */
  readonly id?: string | undefined;
  /** RFC 3339: when the person asked; now if left out. */
  readonly submitted?: string | undefined;
}

export async function enterRequest(
  {
    store,
    identities,
  }: {
    readonly store: Pick<Store, 'tenants' | 'catalogue' | 'enter'>;
    readonly identities: IdentityAccess;
  },
  { controller, person, regulation, id = randomUUID(), submitted }: EnteredRequest,
  by: Actor,
): Promise<RequestSummary> {
  const { controllerId, closedTime = null } = await findController(store.tenants, controller);
  if (closedTime !== null) throw isClosed(controllerId);
  if (!isSubjectRequestId(id)) throw new InvalidInput('id', 'must be a UUID version 4');
  const submittedTime = submitted ?? new Date(by.now).toISOString();
  if (!isTimestamp(submittedTime) || Date.parse(submittedTime) > by.now) {
    throw new InvalidInput(
      'submitted',
      'must be a time that has passed, such as 2026-11-01T12:00:00Z',
    );
  }
  const body: unknown = {
    regulation,
    subject_request_id: id,
    subject_request_type: 'erasure',
    submitted_time: submittedTime,
  };
  if (!isCreateRequestBody(body)) throw new InvalidInput('regulation', 'must be gdpr or ccpa');
  const request = { ...newRequest(body, controllerId, by.actor), identities: person };
  const { outcome } = await store.enter(request, identities.seal(request, person));
  if (outcome === 'exists') {
    throw new NotPossible(`controller ${controllerId} has a request ${id} already`);
  }
  return findRequest(store, id, controllerId);
}
