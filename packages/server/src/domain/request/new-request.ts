import type { CreateRequestBody } from '@unwrite/protocol';
import type { ControllerId } from '../tenant/controller-id.ts';
import { Identity } from './identity.ts';
import type { NewRequest } from './request.ts';

/** From a checked body to a request. The controller is the token's: a body cannot speak for a tenant. */
export function newRequest(
  body: CreateRequestBody,
  controllerId: ControllerId,
  actor: string,
): NewRequest {
  return {
    controllerId,
    subjectRequestId: body.subject_request_id,
    regulation: body.regulation,
    submittedTime: body.submitted_time,
    identities: (body.subject_identities ?? []).map(
      ({ identity_type, identity_value }) => new Identity(identity_type, identity_value),
    ),
    actor,
  };
}
