// Contract 4.2
import { type CreateRequestBody, createdSchema, createRequestSchema } from '@unwrite/protocol';
import type { FastifyInstance } from 'fastify';
import { errorResponses, success } from '../error-responses.ts';
import { createRequireMediaType } from '../media-type.ts';
import type { OpendsrContext } from './context.ts';
import { createRequest } from './create-request.ts';

export function postRequest(app: FastifyInstance, context: OpendsrContext): void {
  const { requireToken, sendAnswer } = context;

  app.post<{ Body: CreateRequestBody }>(
    '/requests',
    {
      onRequest: [requireToken, createRequireMediaType(['application/json'])],
      schema: {
        operationId: 'createRequest',
        summary: 'Submit an erasure request',
        description: '201 means that the request is on disk.',
        tags: ['OpenDSR'],
        security: [{ bearer: [] }],
        body: createRequestSchema,
        response: {
          201: success(createdSchema, 'The request is on disk'),
          ...errorResponses(400, 401, 403, 409, 413, 415, 429),
        },
      },
    },
    async (request, reply) => {
      const { principal, body, rawBody } = request;
      const answer = await createRequest(context, principal, body, rawBody);
      reply.hijack();
      sendAnswer(reply.raw, request.id, 201, principal.controllerId, answer);
    },
  );
}
