// Handles POST /requests after its body was validated.
import {
  type CreatedResponse,
  type CreateRequestBody,
  SIGNATURE_PLACEHOLDER,
} from '@unwrite/protocol';
import type { Principal } from '../../auth/principal.ts';
import { newRequest } from '../../domain/request/new-request.ts';
import { ApiError } from '../api-error.ts';
import type { OpendsrContext } from './context.ts';
import { requestTimes } from './request-times.ts';

export async function createRequest(
  { requests, domain }: Pick<OpendsrContext, 'requests' | 'domain'>,
  { controllerId, actor }: Principal,
  body: CreateRequestBody,
  rawBody: Buffer,
): Promise<CreatedResponse> {
  const request = newRequest(body, controllerId, actor);
  if (request.via?.includes(domain)) {
    throw new ApiError(
      400,
      `${domain} has forwarded this request itself, and it came back: do not forward it to ${domain}`,
    );
  }
  const created = await requests.create(request);
  if (created.outcome === 'exists') {
    throw new ApiError(409, 'A request with this subject_request_id already exists');
  }
  const { received, expected } = requestTimes(created.receivedTime);
  return {
    controller_id: controllerId,
    expected_completion_time: expected,
    received_time: received,
    encoded_request: rawBody.toString('base64'),
    subject_request_id: body.subject_request_id,
    processor_signature: SIGNATURE_PLACEHOLDER,
  };
}
