// A request as plain data, without identities.
import { expectedCompletion } from '../../domain/deadline/expected-completion.ts';
import { statutoryLimit } from '../../domain/deadline/statutory-deadline.ts';
import type { RequestSummary } from '../../domain/request/request.ts';
import { isoTime } from '../iso-time.ts';

export function requestShape(request: RequestSummary) {
  return {
    controller_id: request.controllerId,
    subject_request_id: request.subjectRequestId,
    request_status: request.status,
    regulation: request.regulation,
    submitted_time: request.submittedTime,
    received_time: isoTime(request.receivedTime),
    expected_completion_time: isoTime(expectedCompletion(request.receivedTime)),
    statutory_deadline: isoTime(statutoryLimit(request).end),
    cancelled_time: isoTime(request.cancelledTime),
    completed_time: isoTime(request.completedTime),
    extended_until: isoTime(request.extendedUntil),
    identities: request.identityCount,
  };
}
