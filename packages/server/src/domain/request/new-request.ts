import { type CreateRequestBody, forwardedVia } from '@unwrite/protocol';
import type { ControllerId } from '../tenant/controller-id.ts';
import { Identity } from './identity.ts';
import type { NewRequest } from './request.ts';

/** Makes a request from a checked body. The controller comes from the token, never from the body. */
export function newRequest(
  body: CreateRequestBody,
  controllerId: ControllerId,
  actor: string,
): NewRequest {
  const via = forwardedVia(body);
  return {
    controllerId,
    subjectRequestId: body.subject_request_id,
    regulation: body.regulation,
    submittedTime: body.submitted_time,
    identities: (body.subject_identities ?? []).map(
      ({ identity_type, identity_value }) => new Identity(identity_type, identity_value),
    ),
    ...(via.length > 0 && { via }),
    actor,
  };
}
