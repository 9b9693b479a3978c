// Protects against calls that another site's page makes with the browser's cookie: such a page cannot read the
// token, and cannot send the header without a preflight request, which is never allowed (no CORS).
import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';

const HEADER = 'x-unwrite-csrf';
const SAFE = new Set(['GET', 'HEAD']);

/** Follows from the session id, so that it needs no place in the store and ends with the session. */
export function csrfTokenOf(sessionId: string): string {
  return hash('sha256', `unwrite csrf ${sessionId}`, 'base64url');
}

export function checkCsrf(request: FastifyRequest, sessionId: string): void {
  if (SAFE.has(request.method)) return;
  checkOrigin(request);
  const given = Buffer.from(String(request.headers[HEADER] ?? ''));
  const expected = Buffer.from(csrfTokenOf(sessionId));
  if (given.length === expected.length && timingSafeEqual(given, expected)) return;
  throw new ApiError(
    403,
    'The header X-Unwrite-CSRF is missing or wrong; GET /operator/v1/session says what to send',
  );
}

/** Browsers say where a call comes from; scripts need not. */
export function checkOrigin({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isForeign =
    (site !== undefined && site !== 'same-origin') ||
    (headers.origin !== undefined && hostOf(headers.origin) !== headers.host?.toLowerCase());
  if (isForeign) throw new ApiError(403, 'This call comes from a page of another origin');
}

/** Without the scheme: behind a proxy that ends TLS we do not see the browser's. */
function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/i.exec(origin)?.[1]?.toLowerCase();
}
