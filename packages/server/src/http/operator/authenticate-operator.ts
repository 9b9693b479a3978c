// Authenticates the caller and checks the role that the route names, before any of the body is read.
import type { FastifyRequest } from 'fastify';
import type {
  Operator,
  OperatorAuthentication,
  OperatorRole,
  OperatorSession,
} from '../../auth/operator/operator.ts';
import { Forbidden, Unauthenticated } from '../../auth/principal.ts';
import { includesRole } from '../../domain/operator/role.ts';
import { asTyped } from '../../domain/own-command.ts';
import { checkCsrf } from './csrf.ts';
import { readCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on all routes of /operator/v1 except those with the role `anyone`. */
    operator: Operator;
    /** Set if the operator is signed in by a session; includes the secret of the cookie. */
    operatorSession: (OperatorSession & { readonly secret: string }) | undefined;
    /** For streams: false once the session has ended, the client is revoked or the role is gone. */
    stillSignedIn: () => Promise<boolean>;
  }
  interface FastifyContextConfig {
    /** The lowest role that may call a route of /operator. */
    role?: OperatorRole | 'anyone';
    /** Pages call it in the background, without a header of ours: such calls do not count as use of the session. */
    isBackground?: boolean;
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
    return authorization === undefined ? bySession(request) : byToken(request, authorization);
  }

  async function byToken(request: FastifyRequest, authorization: string): Promise<Operator> {
    const [, token = ''] = BEARER.exec(authorization) ?? [];
    const operator = await authentication.client(token);
    if (operator !== undefined) {
      request.stillSignedIn = async () => mayStill(request, await authentication.client(token));
      return operator;
    }
    throw new Unauthenticated(
      asTyped(
        'The bearer token is not that of an operator client, or it was revoked; "unwrite operator client create" makes one',
      ),
    );
  }

  async function bySession(request: FastifyRequest): Promise<Operator> {
    const secret = readCookie(request, 'session') ?? '';
    // Background calls of a page do not count as use of the session.
    const isUse =
      request.headers['x-unwrite-background'] === undefined &&
      request.routeOptions.config.isBackground !== true;
    const session = await authentication.session(secret, isUse);
    if (session === undefined) {
      throw new Unauthenticated(
        'Sign in first: open /operator/sign-in in a browser, or send the bearer token of an operator client',
        false,
      );
    }
    checkCsrf(request, secret);
    request.operatorSession = { ...session, secret };
    request.stillSignedIn = async () =>
      mayStill(request, (await authentication.session(secret, false))?.operator);
    return session.operator;
  }
}

function mayStill(request: FastifyRequest, operator: Operator | undefined): boolean {
  const { role = 'anyone' } = request.routeOptions.config;
  return operator !== undefined && (role === 'anyone' || includesRole(operator.role, role));
}
