// A one-time link is redeemed by POST: programs that fetch links automatically, such as a preview in a chat, do
// not use it up.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LinkRefused } from '../../../auth/operator/sign-in.ts';
import { ApiError } from '../../api-error.ts';
import { describeBrowser } from '../browser.ts';
import { checkOrigin } from '../csrf.ts';
import { forwardedBy, isLoopbackHost, isLoopbackPeer } from '../loopback.ts';
import { operatorErrors } from '../operator-errors.ts';
import { requireCookiePlace } from '../session-cookie.ts';
import { beginSession, type SignInContext } from './context.ts';
import { safeReturnTo } from './return-to.ts';
import { throttled } from './throttled.ts';

const bodySchema = {
  type: 'object',
  required: ['code'],
  properties: {
    code: { type: 'string', maxLength: 100, description: 'From the link' },
    return_to: { type: 'string', maxLength: 2000, description: 'A page of the console' },
  },
} as const;

export function postLink(scope: FastifyInstance, context: SignInContext): void {
  scope.post<{ Body: { code: string; return_to?: string } }>(
    '/sign-in/link',
    {
      config: { role: 'anyone' },
      schema: {
        operationId: 'redeemLink',
        summary: 'Sign in with the code of a one-time link; sets the session cookie',
        description:
          'unwrite console link makes such a link. It is valid once and for ten minutes, and as operator_links says only in a browser on the machine of the server.',
        tags: ['Sign-in'],
        security: [],
        body: bodySchema,
        response: {
          200: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              role: { type: 'string' },
              return_to: { type: 'string' },
            },
          },
          ...operatorErrors(400, 429),
        },
      },
    },
    async (request, reply) => {
      checkOrigin(request);
      checkPlace(request, context);
      requireCookiePlace(request, context.operatorUrl);
      const session = await redeem(request, context);
      await beginSession(context, request, reply, session);
      const { name, role } = session;
      return { name, role, return_to: safeReturnTo(request.body.return_to) };
    },
  );
}

async function redeem(request: FastifyRequest<{ Body: { code: string } }>, context: SignInContext) {
  const browser = describeBrowser(request.headers['user-agent']);
  try {
    return await throttled(context, request, () =>
      context.signIn.redeem(request.body.code, browser),
    );
  } catch (error) {
    throw error instanceof LinkRefused ? new ApiError(403, error.message) : error;
  }
}

/** A link printed in the terminal is for the person at this machine. */
function checkPlace({ raw, headers }: FastifyRequest, { links }: SignInContext): void {
  if (links === 'anywhere') return;
  if (links === 'off') {
    throw new ApiError(403, 'Sign-in links are turned off here (operator_links)');
  }
  const header = forwardedBy(raw);
  const reason =
    header !== undefined
      ? `it came through a proxy (${header})`
      : !isLoopbackPeer(raw)
        ? 'it came from another machine'
        : !isLoopbackHost(headers.host ?? '')
          ? 'its Host is not localhost'
          : undefined;
  if (reason === undefined) return;
  throw new ApiError(
    403,
    `Sign-in links work in a browser on the machine of the server only, and this call does not come from there: ${reason}. Open it at localhost, from elsewhere through "ssh -L"; or set operator_links: anywhere`,
  );
}
