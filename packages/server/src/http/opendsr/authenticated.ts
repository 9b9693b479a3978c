import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Authenticate } from '../../auth/authenticate.ts';
import { type Principal, Unauthenticated } from '../../auth/principal.ts';

import type { RateLimit } from '../limits/rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
  }
}

/** Runs before the body is read: unauthenticated or excessive requests are not parsed. */
export function createRequireToken(authenticate: Authenticate, rateLimit: RateLimit) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (request.headerFindings.authorizations > 1) {
      done(new Unauthenticated('Send exactly one Authorization header'));
      return;
    }
    authenticate(request.headers.authorization).then((principal) => {
      request.principal = principal;
      const { controllerId } = principal;
      const refused = rateLimit.refuse(controllerId);
      // The four OpenDSR endpoints write their own: see send-answer.ts.
      const [policyName = '', policy = '', name = '', left = ''] = rateLimit.headers(controllerId);
      if (refused === undefined && name !== '') {
        void reply.header(policyName, policy).header(name, left);
      }
      done(refused);
    }, done);
  };
}
