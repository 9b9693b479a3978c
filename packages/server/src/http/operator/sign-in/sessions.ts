// Lists and ends the caller's sessions. An admin can list and end those of all operators.
import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../../auth/operator/operator.ts';
import { Forbidden } from '../../../auth/principal.ts';
import type { Clock } from '../../../domain/clock.ts';
import { isInForce, type SessionLimits } from '../../../domain/operator/in-force.ts';
import { OPERATOR_ROLES } from '../../../domain/operator/role.ts';
import type { OperatorStore } from '../../../domain/operator/sign-in-ports.ts';
import { sessionShape } from '../../../operator/session-shape.ts';
import { ApiError } from '../../api-error.ts';
import { operatorErrors } from '../operator-errors.ts';

export interface SessionsContext {
  readonly operators: Pick<OperatorStore, 'sessions' | 'endSession'>;
  readonly limits: SessionLimits;
  readonly clock: Clock;
}

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };

export function registerSessions(scope: FastifyInstance, context: SessionsContext): void {
  const { operators, limits, clock } = context;

  scope.get<{ Querystring: { everyone?: boolean } }>(
    '/sessions',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'listSessions',
        summary: 'Sessions that are in force: your own, or everybody’s',
        tags: ['Sign-in'],
        querystring: {
          type: 'object',
          required: [],
          properties: { everyone: { type: 'boolean', description: 'Needs the role admin' } },
        } as const,
        response: {
          200: {
            type: 'object',
            properties: {
              items: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: {
                    session_id: text,
                    name: text,
                    role: { enum: OPERATOR_ROLES },
                    way: { enum: ['link', 'sso'] },
                    browser: { type: ['string', 'null'] },
                    created_time: time,
                    used_time: time,
                    expires_time: time,
                    is_current: { type: 'boolean', description: 'The one of this call' },
                  },
                },
              },
              next: { type: 'null' },
            },
          },
          ...operatorErrors(400),
        },
      },
    },
    async ({ operator, query }) => {
      if (query.everyone && operator.role !== 'admin') {
        throw new Forbidden('Sessions of everybody need the role admin');
      }
      const all = await operators.sessions(query.everyone ? undefined : operator.name);
      const now = clock();
      const inForce = all.filter((session) => isInForce(session, limits, now));
      return {
        items: inForce.map((session) => ({
          ...sessionShape(session, limits),
          is_current: session.sessionId === operator.id,
        })),
        next: null,
      };
    },
  );

  scope.delete<{ Params: { session_id: string } }>(
    '/sessions/:session_id',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'endSession',
        summary: 'End a session, on all nodes at once: one’s own, or as admin anybody’s',
        tags: ['Sign-in'],
        params: {
          type: 'object',
          required: ['session_id'],
          properties: { session_id: { type: 'string', maxLength: 100 } },
        } as const,
        response: { 204: { type: 'null', description: 'Ended' }, ...operatorErrors(404) },
      },
    },
    async ({ operator, params }, reply) => {
      const mine = await operators.sessions(operator.role === 'admin' ? undefined : operator.name);
      const session = mine.find(({ sessionId }) => sessionId === params.session_id);
      const by = { actor: actorOf(operator), now: clock() };
      if (session === undefined || !(await operators.endSession(session.sessionId, by))) {
        throw new ApiError(404, 'There is no such session, or it has ended');
      }
      return reply.code(204).send();
    },
  );
}
