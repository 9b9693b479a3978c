import type { FastifyInstance } from 'fastify';
import { OPERATOR_ROLES } from '../../domain/operator/role.ts';
import { isoTime } from '../../operator/iso-time.ts';
import { csrfTokenOf } from './csrf.ts';
import { operatorErrors } from './operator-errors.ts';

const text = { type: 'string' };
const time = { type: ['string', 'null'], format: 'date-time' };

export function getSession(scope: FastifyInstance): void {
  scope.get(
    '/session',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getSession',
        summary: 'Who is signed in, with which role, and until when',
        description:
          'csrf_token goes into the header X-Unwrite-CSRF of every call that changes something with the session cookie. It and the times are null for operator clients.',
        tags: ['Sign-in'],
        response: {
          200: {
            type: 'object',
            properties: {
              name: text,
              role: { enum: OPERATOR_ROLES },
              id: text,
              by: { enum: ['session', 'client'] },
              csrf_token: { type: ['string', 'null'] },
              expires_time: { ...time, description: 'The session ends then at the latest' },
              idle_expires_time: { ...time, description: 'It ends then unless it is used before' },
            },
          },
          ...operatorErrors(),
        },
      },
    },
    ({ operator, operatorSession }) => ({
      name: operator.name,
      role: operator.role,
      by: operator.by,
      id: operator.id,
      csrf_token: operatorSession === undefined ? null : csrfTokenOf(operatorSession.secret),
      expires_time: isoTime(operatorSession?.expires ?? null),
      idle_expires_time: isoTime(operatorSession?.idleExpires ?? null),
    }),
  );
}
