// Contract 4.1
import {
  API_VERSION,
  type DiscoveryResponse,
  discoverySchema,
  IDENTITY_TYPES,
} from '@unwrite/protocol';
import type { FastifyInstance } from 'fastify';
import { errorResponses, success } from '../error-responses.ts';
import type { OpendsrContext } from './context.ts';

const DISCOVERY: DiscoveryResponse = {
  api_version: API_VERSION,
  supported_identities: IDENTITY_TYPES.map((identity_type) => ({
    identity_type,
    identity_format: 'raw',
  })),
  supported_subject_request_types: ['erasure'],
};

export function getDiscovery(
  app: FastifyInstance,
  { requireToken, sendAnswer, certificateUrl }: OpendsrContext,
): void {
  const discovery: DiscoveryResponse =
    certificateUrl === undefined
      ? DISCOVERY
      : { ...DISCOVERY, processor_certificate: certificateUrl };
  app.get(
    '/discovery',
    {
      onRequest: requireToken,
      schema: {
        operationId: 'getDiscovery',
        summary: 'What this processor supports',
        tags: ['OpenDSR'],
        security: [{ bearer: [] }],
        response: {
          200: success(discoverySchema, 'What is supported'),
          ...errorResponses(401, 403, 429),
        },
      },
    },
    (request, reply) => {
      reply.hijack();
      sendAnswer(reply.raw, request.id, 200, request.principal.controllerId, discovery);
    },
  );
}
