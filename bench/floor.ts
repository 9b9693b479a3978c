// The floor: the same framework, routes and schemas, no authentication, a handler that stores nothing
// and answers at once. What Unwrite does beyond this is what the ratios show.
import {
  type CreateRequestBody,
  createdSchema,
  createRequestSchema,
  statusSchema,
} from '@unwrite/protocol';
import fastify from 'fastify';

// Fastify's own validator does not know our format of identities.
const body = JSON.parse(JSON.stringify(createRequestSchema), (key, value) =>
  key === 'format' && value === 'identity-value' ? undefined : value,
);

const ENCODED = Buffer.alloc(300, 'x').toString('base64');
const app = fastify();

app.post<{ Body: CreateRequestBody }>(
  '/requests',
  { schema: { body, response: { 201: createdSchema } } },
  async (request, reply) => {
    reply.code(201);
    return {
      controller_id: 'acme',
      expected_completion_time: '2026-12-15T02:00:00.000Z',
      received_time: '2026-11-15T02:00:00.000Z',
      encoded_request: ENCODED,
      subject_request_id: request.body.subject_request_id,
      processor_signature: 'not-yet-implemented',
    };
  },
);

app.get<{ Params: { id: string } }>(
  '/requests/:id',
  { schema: { response: { 200: statusSchema } } },
  async (request) => ({
    controller_id: 'acme',
    expected_completion_time: '2026-12-15T02:00:00.000Z',
    subject_request_id: request.params.id,
    request_status: 'pending',
    api_version: '2.0',
  }),
);

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
