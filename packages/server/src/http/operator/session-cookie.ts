// The session cookie. Over https it has the prefix __Host-: browsers then accept it only with Secure, for this host
// alone and from no other. On loopback http that is not possible, and the name has the port in it: cookies do not
// tell the ports of a host apart.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import { forwardingHeader, isLoopbackHost, isLoopbackPeer, portOf } from './loopback.ts';

/** Longer ones are not ours, and are not looked at. */
const VALUE = /^[A-Za-z0-9_.-]{1,2048}$/;

export type CookiePurpose = 'session' | 'login';

export function cookieName(request: FastifyRequest, purpose: CookiePurpose): string {
  return isPlain(request)
    ? `unwrite_${purpose}_${portOf(request.headers.host ?? '')}`
    : `__Host-unwrite_${purpose}`;
}

/** Http on loopback, without a proxy: where browsers accept no Secure cookie, and nothing is on a wire. */
export function isPlain({ raw, headers }: FastifyRequest): boolean {
  return (
    !('encrypted' in raw.socket) &&
    isLoopbackHost(headers.host ?? '') &&
    isLoopbackPeer(raw) &&
    forwardingHeader(headers) === undefined
  );
}

/** Undefined where it is not there, not ours by its form, or there twice: one of them is then somebody else's. */
export function readCookie(request: FastifyRequest, purpose: CookiePurpose): string | undefined {
  const name = cookieName(request, purpose);
  let found: string | undefined;
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue;
    if (found !== undefined) return undefined;
    found = pair.slice(equals + 1).trim();
  }
  return found !== undefined && VALUE.test(found) ? found : undefined;
}

/** Until the browser ends, or for so many seconds. Strict: no other site's page can send it, not even by a link. */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: CookiePurpose,
  value: string,
  { sameSite = 'Strict', seconds }: { sameSite?: 'Strict' | 'Lax'; seconds?: number } = {},
): void {
  const parts = [`${cookieName(request, purpose)}=${value}`, 'Path=/', 'HttpOnly'];
  if (!isPlain(request)) parts.push('Secure');
  parts.push(`SameSite=${sameSite}`);
  if (seconds !== undefined) parts.push(`Max-Age=${seconds}`);
  void reply.header('set-cookie', parts.join('; '));
}

export function clearCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: CookiePurpose,
): void {
  setCookie(request, reply, purpose, '', { seconds: 0 });
}

/** Elsewhere a browser would drop the cookie without a word, and the person would have to sign in again and again. */
export function requireCookiePlace(request: FastifyRequest, operatorUrl: string): void {
  const isSecure = 'encrypted' in request.raw.socket || operatorUrl.startsWith('https:');
  if (isSecure || isPlain(request)) return;
  throw new ApiError(
    400,
    'Browsers keep a session only over https, or at http://localhost: open the console there, or give it an https address and set operator_url to that',
  );
}
