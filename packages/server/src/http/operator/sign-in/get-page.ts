import type { FastifyInstance } from 'fastify';
import { asTyped } from '../../../domain/own-command.ts';
import type { SignInContext } from './context.ts';
import { sendSignInPage } from './page.ts';
import { safeReturnTo } from './return-to.ts';

export const LINK_COMMAND = asTyped('unwrite console link --role operator');

/** Path that starts single sign-on, with the page to return to. */
export function signOnPath({ sso }: Pick<SignInContext, 'sso'>, returnTo: string) {
  if (sso === null) return undefined;
  return `/operator/v1/sign-in/sso?${new URLSearchParams({ return_to: returnTo })}`;
}

export function getSignInPage(scope: FastifyInstance, context: SignInContext): void {
  scope.get<{ Querystring: Record<string, unknown> }>(
    '/operator/sign-in',
    { config: { role: 'anyone' }, schema: { hide: true } },
    ({ query }, reply) =>
      sendSignInPage(reply, 200, {
        message:
          context.sso === null && context.links === 'off'
            ? 'There is no way to sign in here: operator_links is off, and operator_sso.issuer is not set.'
            : 'Sign in to see and decide what needs attention.',
        signOn: signOnPath(context, safeReturnTo(query.return_to)),
        command: context.links === 'off' ? undefined : LINK_COMMAND,
      }),
  );
}
