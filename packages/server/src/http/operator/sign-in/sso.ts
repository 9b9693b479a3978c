// Single sign-on in the browser: to the issuer and back. A person sees these answers, so failures are pages.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NO_TICKET, SignOnRefused } from '../../../auth/operator/sso/sso.ts';
import { IssuerUnavailable } from '../../../auth/principal.ts';
import { ApiError } from '../../api-error.ts';
import { describeBrowser } from '../browser.ts';
import { clearCookie, readCookie, requireCookiePlace, setCookie } from '../session-cookie.ts';
import { beginSession, type SignInContext } from './context.ts';
import { signOnPath } from './get-page.ts';
import { sendSignInPage } from './page.ts';
import { safeReturnTo } from './return-to.ts';
import { throttled } from './throttled.ts';

const TICKET_S = 600;

export function registerSso(scope: FastifyInstance, context: SignInContext): void {
  const { sso, signIn, operatorUrl } = context;
  if (sso === null) return;
  const hidden = { config: { role: 'anyone' }, schema: { hide: true } } as const;

  scope.get<{ Querystring: Record<string, unknown> }>(
    '/sign-in/sso',
    hidden,
    async (request, reply) => {
      try {
        requireCookiePlace(request, operatorUrl);
        const { address, ticket } = await sso.begin(safeReturnTo(request.query.return_to));
        // Lax: the issuer's page leads back to us, and the browser must then send it.
        setCookie(request, reply, 'login', ticket, { sameSite: 'Lax', seconds: TICKET_S });
        return reply.redirect(address, 302);
      } catch (error) {
        return explain(error, request, reply);
      }
    },
  );

  scope.get('/sign-in/callback', hidden, async (request, reply) => {
    const ticket = readCookie(request, 'login');
    clearCookie(request, reply, 'login');
    try {
      requireCookiePlace(request, operatorUrl);
      const { person, returnTo } = await throttled(context, request, () =>
        sso.finish(ticket, request.url),
      );
      const browser = describeBrowser(request.headers['user-agent']);
      await beginSession(context, request, reply, await signIn.signedOn(person, browser));
      return reply.redirect(returnTo, 303);
    } catch (error) {
      // Without a ticket nothing was tried.
      if (error instanceof SignOnRefused && error.reason !== NO_TICKET) {
        await signIn.refused(error.person, { way: 'sso', reason: error.reason });
      }
      return explain(error, request, reply);
    }
  });

  function explain(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const status = statusOf(error);
    if (status === undefined) throw error;
    if (error instanceof IssuerUnavailable) context.unavailable(request.id, error);
    if (error instanceof ApiError) void reply.headers(error.headers);
    const signOn = signOnPath(context, '/console');
    return sendSignInPage(reply, status, {
      message: (error as Error).message,
      isWrong: true,
      signOn,
    });
  }
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof SignOnRefused) return 403;
  if (error instanceof IssuerUnavailable) return 503;
  return error instanceof ApiError ? error.status : undefined;
}
