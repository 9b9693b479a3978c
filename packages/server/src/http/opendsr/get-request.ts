// Contract 4.3
import { statusSchema } from '@unwrite/protocol';
import type { FastifyInstance } from 'fastify';
import { errorResponses, success } from '../error-responses.ts';
import type { OpendsrContext } from './context.ts';
import { readStatus } from './read-status.ts';
import { subjectRequestIdOf } from './request-path.ts';

export function getRequest(app: FastifyInstance, context: OpendsrContext): void {
  const { requests, requireToken, sendAnswer } = context;

  app.get(
    '/requests/:subject_request_id',
    {
      onRequest: requireToken,
      schema: {
        operationId: 'getRequestStatus',
        summary: 'Status of a request',
        tags: ['OpenDSR'],
        security: [{ bearer: [] }],
        response: {
          200: success(statusSchema, 'The status of the request'),
          ...errorResponses(401, 403, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const { principal } = request;
      const answer = await readStatus(requests, principal, subjectRequestIdOf(request));
      reply.hijack();
      sendAnswer(reply.raw, request.id, 200, principal.controllerId, answer);
    },
  );
}
