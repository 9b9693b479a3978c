import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorAuthentication } from '../../../auth/operator/operator.ts';
import type { SignIn } from '../../../auth/operator/sign-in.ts';
import type { OperatorSso } from '../../../auth/operator/sso/sso.ts';
import type { FailureThrottle } from '../../../auth/throttle-failures.ts';
import type { NewSession, OperatorStore } from '../../../domain/operator/sign-in-ports.ts';
import { readCookie, setCookie } from '../session-cookie.ts';

export interface SignInContext {
  readonly authentication: OperatorAuthentication;
  readonly signIn: SignIn;
  /** Null if no issuer is configured. */
  readonly sso: OperatorSso | null;
  readonly operators: Pick<OperatorStore, 'endSession'>;
  readonly throttle: FailureThrottle;
  readonly links: 'loopback' | 'anywhere' | 'off';
  readonly operatorUrl: string;
  /** Logs the error; the person sees a page. */
  readonly unavailable: (requestId: string, error: Error) => void;
}

/** A new session always has a new id; the previous session of this browser ends. */
export async function beginSession(
  { authentication, operators }: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: NewSession,
): Promise<void> {
  const before = await authentication.session(readCookie(request, 'session') ?? '', false);
  if (before !== undefined) {
    const { id, name } = before.operator;
    await operators.endSession(id, { actor: `operator:${name}`, now: session.createdTime });
  }
  setCookie(request, reply, 'session', session.secret);
}
