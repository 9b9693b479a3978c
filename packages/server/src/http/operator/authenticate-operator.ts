// Who calls, and whether the role allows it: before anything of the body is read. A route says which role it needs.
import type { FastifyRequest } from 'fastify';
import type {
  Operator,
  OperatorAuthentication,
  OperatorRole,
  OperatorSession,
} from '../../auth/operator/operator.ts';
import { Forbidden, Unauthenticated } from '../../auth/principal.ts';
import { includesRole } from '../../domain/operator/role.ts';
import { checkCsrf } from './csrf.ts';
import { readCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of every route of /operator/v1 that is not for anyone. */
    operator: Operator;
    /** Where the operator is signed in by a session; with the id that the cookie holds. */
    operatorSession: (OperatorSession & { readonly secretId: string }) | undefined;
  }
  interface FastifyContextConfig {
    /** Of routes of /operator: the least role that may call it. */
    role?: OperatorRole | 'anyone';
  }
}

const BEARER = /^bearer +([A-Za-z0-9._~+/=-]{1,4096}) *$/i;

export function createAuthenticateOperator(authentication: OperatorAuthentication) {
  return async (request: FastifyRequest): Promise<void> => {
    const { role: needed } = request.routeOptions.config;
    if (needed === 'anyone' || needed === undefined) return;
    request.operator = await authenticate(request);
    if (includesRole(request.operator.role, needed)) return;
    throw new Forbidden(
      `This needs the role ${needed}, and ${request.operator.name} has the role ${request.operator.role}`,
    );
  };

  async function authenticate(request: FastifyRequest): Promise<Operator> {
    if (request.headerFindings.authorizations > 1) {
      throw new Unauthenticated('Send exactly one Authorization header');
    }
    const { authorization } = request.headers;
    return authorization === undefined ? bySession(request) : byToken(authorization);
  }

  async function byToken(authorization: string): Promise<Operator> {
    const [, token] = BEARER.exec(authorization) ?? [];
    const operator = token === undefined ? undefined : await authentication.client(token);
    if (operator !== undefined) return operator;
    throw new Unauthenticated(
      'The bearer token is not that of an operator client, or it was revoked; "unwrite operator client create" makes one',
    );
  }

  async function bySession(request: FastifyRequest): Promise<Operator> {
    const secretId = readCookie(request, 'session');
    const session = secretId === undefined ? undefined : await authentication.session(secretId);
    if (secretId === undefined || session === undefined) {
      throw new Unauthenticated(
        'Sign in first: open /operator/sign-in in a browser, or send the bearer token of an operator client',
        false,
      );
    }
    checkCsrf(request, secretId);
    request.operatorSession = { ...session, secretId };
    return session.operator;
  }
}
