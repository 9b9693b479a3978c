// Contract 4.2
import {
  type CreatedResponse,
  type CreateRequestBody,
  createdSchema,
  createRequestSchema,
  SIGNATURE_PLACEHOLDER,
} from '@unwrite/protocol';
import type { FastifyInstance } from 'fastify';
import { newRequest } from '../../domain/new-request.ts';
import { ApiError } from '../api-error.ts';
import { errorResponses } from '../error-responses.ts';
import { createRequireMediaType } from '../media-type.ts';
import type { OpendsrContext } from './context.ts';
import { requestTimes } from './request-times.ts';

export function postRequest(app: FastifyInstance, context: OpendsrContext): void {
  const { requests, requireToken, sendAnswer } = context;

  app.post<{ Body: CreateRequestBody }>(
    '/requests',
    {
      onRequest: [requireToken, createRequireMediaType(['application/json'])],
      schema: {
        summary: 'Submit an erasure request',
        description: '201 means that the request is on disk.',
        tags: ['OpenDSR'],
        security: [{ bearer: [] }],
        body: createRequestSchema,
        response: { 201: createdSchema, ...errorResponses(400, 401, 403, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const { controllerId, actor } = request.principal;
      const created = await requests.create(newRequest(request.body, controllerId, actor));
      if (created.outcome === 'exists') {
        throw new ApiError(409, 'A request with this subject_request_id already exists');
      }
      const { received, expected } = requestTimes(created.receivedTime);
      sendAnswer(request, reply, 201, {
        controller_id: controllerId,
        expected_completion_time: expected,
        received_time: received,
        encoded_request: request.rawBody.toString('base64'),
        subject_request_id: request.body.subject_request_id,
        processor_signature: SIGNATURE_PLACEHOLDER,
      } satisfies CreatedResponse);
    },
  );
}
