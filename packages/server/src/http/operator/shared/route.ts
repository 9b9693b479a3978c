// Declares a route of the operator API: who may call it, what it takes and returns, and what it does.
import type { ObjectSchema, Static } from '@unwrite/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actorOf, type Operator, type OperatorRole } from '../../../auth/operator/operator.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import { operatorErrors } from '../operator-errors.ts';

const NOTHING = { type: 'object', properties: {}, required: [] } as const;

export interface Call<Query, Body> {
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly operator: Operator;
  /** The actor that is written into the audit log. */
  readonly by: Actor;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Route<Query extends ObjectSchema, Body extends ObjectSchema> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly role: OperatorRole;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Query;
  readonly body?: Body;
  /** The schema of the answer. */
  readonly answer: object;
  /** 200 if left out; 201 for routes that create something. */
  readonly status?: number;
  readonly errors?: readonly number[];
  readonly handle: (call: Call<Static<Query>, Static<Body>>) => unknown;
}

export type DefineRoute = <
  const Query extends ObjectSchema = typeof NOTHING,
  const Body extends ObjectSchema = typeof NOTHING,
>(
  route: Route<Query, Body>,
) => void;

export function createDefineRoute(scope: FastifyInstance, clock: Clock): DefineRoute {
  return (route) => {
    const { method, path, role, id, tag, summary, description, status = 200, errors = [] } = route;
    scope.route({
      method,
      url: path,
      config: { role },
      schema: {
        operationId: id,
        summary,
        description: `Role: ${role}.${description === undefined ? '' : ` ${description}`}`,
        tags: [tag],
        querystring: route.query ?? NOTHING,
        ...(method !== 'GET' && { body: route.body ?? NOTHING }),
        response: { [status]: route.answer, ...operatorErrors(400, ...errors) },
      },
      async handler(request, reply) {
        if (status !== 200) reply.code(status);
        const { operator } = request;
        return route.handle({
          params: request.params as Record<string, string>,
          query: request.query as never,
          body: request.body as never,
          operator,
          by: { actor: actorOf(operator), now: clock() },
          request,
          reply,
        });
      },
    });
  };
}
