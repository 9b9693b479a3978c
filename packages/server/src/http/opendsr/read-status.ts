// Handles GET /requests/{id} after the id in its path was validated.
import {
  API_VERSION,
  formatTimestamp,
  type StatusResponse,
  type SubjectRequestId,
} from '@unwrite/protocol';
import type { Principal } from '../../auth/principal.ts';
import { expectedCompletion } from '../../domain/deadline/expected-completion.ts';
import type { RequestStore } from '../../domain/request/request-ports.ts';
import { requestNotFound } from './request-path.ts';

export async function readStatus(
  requests: RequestStore,
  { controllerId }: Principal,
  subjectRequestId: SubjectRequestId,
): Promise<StatusResponse> {
  const state = await requests.read({ controllerId, subjectRequestId });
  if (state === undefined) throw requestNotFound();
  return {
    controller_id: controllerId,
    expected_completion_time: formatTimestamp(expectedCompletion(state.receivedTime)),
    subject_request_id: state.subjectRequestId,
    request_status: state.status,
    api_version: API_VERSION,
  };
}
