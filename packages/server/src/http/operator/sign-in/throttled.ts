// After many failed sign-ins from one address, further ones are refused for a while: each costs a read of the
// store, an audit row, or a call to the issuer.
import type { FastifyRequest } from 'fastify';
import { LinkRefused } from '../../../auth/operator/sign-in.ts';
import { NO_TICKET, SignOnRefused } from '../../../auth/operator/sso/sso.ts';
import { ApiError } from '../../api-error.ts';
import type { SignInContext } from './context.ts';

/** The throttle counts all ways of signing in together. */
const NAME = 'operator sign-in';

export async function throttled<T>(
  { throttle }: Pick<SignInContext, 'throttle'>,
  { ip }: FastifyRequest,
  attempt: () => Promise<T>,
): Promise<T> {
  const wait = await throttle.wait(NAME, ip);
  if (wait > 0) {
    const message =
      'Too many sign-ins from this address have failed; wait a minute, then try again';
    throw new ApiError(429, message, { 'retry-after': String(wait) });
  }
  let hasFailed = false;
  try {
    return await attempt();
  } catch (error) {
    hasFailed =
      error instanceof LinkRefused ||
      (error instanceof SignOnRefused && error.reason !== NO_TICKET);
    throw error;
  } finally {
    if (hasFailed) await throttle.failed(NAME, ip);
    else throttle.passed(NAME, ip);
  }
}
