// The session cookie. Over https it has the prefix __Host-: browsers then accept it only with Secure, and only
// for and from this host. On loopback over http that is not possible, so the name contains the port: cookies
// are shared by all ports of a host.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import { forwardingHeader, isLoopbackHost, isLoopbackPeer, portOf } from './loopback.ts';

/** Longer values are not ours, and are ignored. */
const VALUE = /^[A-Za-z0-9_.-]{1,2048}$/;

export type CookiePurpose = 'session' | 'login';

export function cookieName(request: FastifyRequest, purpose: CookiePurpose): string {
  return isPlain(request)
    ? `unwrite_${purpose}_${portOf(request.headers.host ?? '')}`
    : `__Host-unwrite_${purpose}`;
}

/** Http on loopback without a proxy: browsers accept no Secure cookie there, and no network is involved. */
export function isPlain({ raw, headers }: FastifyRequest): boolean {
  return (
    !('encrypted' in raw.socket) &&
    isLoopbackHost(headers.host ?? '') &&
    isLoopbackPeer(raw) &&
    forwardingHeader(headers) === undefined
  );
}

/** Undefined if it is missing, does not have our form, or occurs twice: one of the two would not be ours. */
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

/**
 * Valid until the browser ends, or for this many seconds. Strict: no page of another site can make the browser send
 * it, not even by a link.
 */
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

/**
 * At other addresses a browser would silently drop the cookie, and the person would have to sign in again and
 * again.
 */
export function requireCookiePlace(request: FastifyRequest, operatorUrl: string): void {
  const isSecure = 'encrypted' in request.raw.socket || operatorUrl.startsWith('https:');
  if (isSecure || isPlain(request)) return;
  throw new ApiError(
    400,
    'Browsers keep a session only over https, or at http://localhost: open the console there, or give it an https address and set operator_url to that',
  );
}
