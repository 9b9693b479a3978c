// Contract 4.3
import { API_VERSION, formatTimestamp, type StatusResponse, statusSchema } from '@unwrite/protocol';
import type { FastifyInstance } from 'fastify';
import { expectedCompletion } from '../../domain/expected-completion.ts';
import { errorResponses } from '../error-responses.ts';
import type { OpendsrContext } from './context.ts';
import { requestNotFound, subjectRequestIdOf } from './request-path.ts';

export function getRequest(app: FastifyInstance, context: OpendsrContext): void {
  const { requests, requireToken, sendAnswer } = context;

  app.get(
    '/requests/:subject_request_id',
    {
      onRequest: requireToken,
      schema: {
        summary: 'Status of a request',
        tags: ['OpenDSR'],
        security: [{ bearer: [] }],
        response: { 200: statusSchema, ...errorResponses(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { controllerId } = request.principal;
      const subjectRequestId = subjectRequestIdOf(request);
      const state = await requests.read({ controllerId, subjectRequestId });
      if (state === undefined) throw requestNotFound();
      sendAnswer(request, reply, 200, {
        controller_id: controllerId,
        expected_completion_time: formatTimestamp(expectedCompletion(state.receivedTime)),
        subject_request_id: state.subjectRequestId,
        request_status: state.status,
        api_version: API_VERSION,
      } satisfies StatusResponse);
    },
  );
}
