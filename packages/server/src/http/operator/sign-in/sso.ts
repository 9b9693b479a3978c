// Single sign-on in the browser: to the issuer and back. A person sees these answers, so failures are pages.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NO_TICKET, SignOnRefused } from '../../../auth/operator/sso/sso.ts';
import { IssuerUnavailable } from '../../../auth/principal.ts';
import { StoreUnavailable } from '../../../domain/store/store-unavailable.ts';
import { ApiError } from '../../api-error.ts';
import { describeBrowser } from '../browser.ts';
import { clearCookie, readCookie, requireCookiePlace, setCookie } from '../session-cookie.ts';
import { beginSession, type SignInContext } from './context.ts';
import { signOnPath } from './get-page.ts';
import { sendSignInPage } from './page.ts';
import { safeReturnTo } from './return-to.ts';
import { throttled } from './throttled.ts';

const TICKET_S = 600;
const STORE_AWAY = 'The store of this service cannot be reached now. Sign in again in a moment.';

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
        const { address, tickets } = await sso.begin(
          safeReturnTo(request.query.return_to),
          readCookie(request, 'login'),
        );
        keepTickets(request, reply, tickets);
        return reply.redirect(address, 302);
      } catch (error) {
        return explain(error, request, reply);
      }
    },
  );

  scope.get('/sign-in/callback', hidden, async (request, reply) => {
    const tickets = readCookie(request, 'login');
    const rest = sso.rest(tickets, request.url);
    if (rest === undefined) clearCookie(request, reply, 'login');
    else keepTickets(request, reply, rest);
    try {
      requireCookiePlace(request, operatorUrl);
      const { person, returnTo } = await throttled(context, request, () =>
        sso.finish(tickets, request.url),
      );
      const browser = describeBrowser(request.headers['user-agent']);
      await beginSession(context, request, reply, await signIn.signedOn(person, browser));
      return reply.redirect(returnTo, 303);
    } catch (error) {
      return explain(await recorded(error), request, reply);
    }
  });

  /** The error, or why it could not be recorded. Without a ticket no sign-in was attempted. */
  async function recorded(error: unknown): Promise<unknown> {
    if (!(error instanceof SignOnRefused) || error.reason === NO_TICKET) return error;
    return signIn.refused(error.person, { way: 'sso', reason: error.reason }).then(
      () => error,
      (reason: unknown) => reason,
    );
  }

  function explain(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const status = statusOf(error);
    if (status === undefined) throw error;
    if (status === 503) context.unavailable(request.id, error as Error);
    if (error instanceof ApiError) void reply.headers(error.headers);
    const signOn = signOnPath(context, '/console');
    return sendSignInPage(reply, status, {
      message: error instanceof StoreUnavailable ? STORE_AWAY : (error as Error).message,
      isWrong: true,
      signOn,
    });
  }
}

/** Lax: the issuer's page leads back to us, and the browser must then send it. */
function keepTickets(request: FastifyRequest, reply: FastifyReply, tickets: string): void {
  setCookie(request, reply, 'login', tickets, { sameSite: 'Lax', seconds: TICKET_S });
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof SignOnRefused) return 403;
  if (error instanceof IssuerUnavailable || error instanceof StoreUnavailable) return 503;
  return error instanceof ApiError ? error.status : undefined;
}
