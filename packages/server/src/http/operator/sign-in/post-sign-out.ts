import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../../auth/operator/operator.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ApiError } from '../../api-error.ts';
import { operatorErrors } from '../operator-errors.ts';
import { clearCookie } from '../session-cookie.ts';
import type { SignInContext } from './context.ts';

export function postSignOut(
  scope: FastifyInstance,
  { operators }: SignInContext,
  clock: Clock,
): void {
  scope.post(
    '/sign-out',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'signOut',
        summary: 'Sign out, on all nodes at once',
        tags: ['Sign-in'],
        response: { 204: { type: 'null', description: 'Signed out' }, ...operatorErrors(400) },
      },
    },
    async (request, reply) => {
      const { operator } = request;
      if (operator.by === 'client') {
        throw new ApiError(400, 'An operator client has no session; revoke it instead');
      }
      await operators.endSession(operator.id, { actor: actorOf(operator), now: clock() });
      clearCookie(request, reply, 'session');
      return reply.code(204).send();
    },
  );
}
