// Contract 4.4
import {
  API_VERSION,
  type CancelledResponse,
  cancelledSchema,
  formatTimestamp,
  SIGNATURE_PLACEHOLDER,
} from '@unwrite/protocol';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../api-error.ts';
import { errorResponses, success } from '../error-responses.ts';
import type { OpendsrContext } from './context.ts';
import { requestNotFound, subjectRequestIdOf } from './request-path.ts';

export function deleteRequest(app: FastifyInstance, context: OpendsrContext): void {
  const { requests, requireToken, sendAnswer } = context;

  app.delete(
    '/requests/:subject_request_id',
    {
      onRequest: requireToken,
      schema: {
        operationId: 'cancelRequest',
        summary: 'Cancel a request that is still pending',
        tags: ['OpenDSR'],
        security: [{ bearer: [] }],
        response: {
          202: success(cancelledSchema, 'The request is cancelled and its identities are shredded'),
          ...errorResponses(400, 401, 403, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const { controllerId, actor } = request.principal;
      const subjectRequestId = subjectRequestIdOf(request);
      const result = await requests.cancel({ controllerId, subjectRequestId, actor });
      switch (result.outcome) {
        case 'not_found':
          throw requestNotFound();
        case 'not_pending':
          throw new ApiError(
            400,
            `Only a pending request can be cancelled; this one is ${result.status}`,
          );
        case 'cancelled':
          reply.hijack();
          sendAnswer(reply.raw, request.id, 202, controllerId, {
            controller_id: controllerId,
            received_time: formatTimestamp(result.receivedTime),
            subject_request_id: result.subjectRequestId,
            processor_signature: SIGNATURE_PLACEHOLDER,
            api_version: API_VERSION,
          } satisfies CancelledResponse);
      }
    },
  );
}
