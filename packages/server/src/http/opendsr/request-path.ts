import { isSubjectRequestId, type SubjectRequestId } from '@unwrite/protocol';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';

/** The same text for an unknown id, another controller's id, and an invalid id. */
export function requestNotFound(): ApiError {
  return new ApiError(404, 'There is no request with this subject_request_id');
}

export function subjectRequestIdOf(request: FastifyRequest): SubjectRequestId {
  const { subject_request_id } = request.params as { subject_request_id: string };
  if (!isSubjectRequestId(subject_request_id)) throw requestNotFound();
  return subject_request_id;
}
