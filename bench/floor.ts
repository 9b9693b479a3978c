// The floor: the same framework, routes and schemas, no authentication, a handler that stores nothing
// and answers at once. What Unwrite does beyond this is what the ratios show.
import type { CreateRequestBody } from '@unwrite/protocol';
import fastify from 'fastify';
import { CREATE, createdAnswer, STATUS, statusAnswer } from './plain-api.ts';

const app = fastify();

app.post<{ Body: CreateRequestBody }>('/requests', CREATE, async (request, reply) => {
  reply.code(201);
  return createdAnswer(request.body.subject_request_id, '2026-11-15T02:00:00.000Z');
});

app.get<{ Params: { id: string } }>('/requests/:id', STATUS, async (request) =>
  statusAnswer(request.params.id, 'pending'),
);

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
