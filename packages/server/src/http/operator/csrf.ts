// Protects against calls that another site's page makes with the browser's cookie: such a page cannot read the
// token, and cannot send the header without a preflight request, which is never allowed (no CORS).
import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';

const HEADER = 'x-unwrite-csrf';
const SAFE = new Set(['GET', 'HEAD']);

/** Derived from the session id, so that it need not be stored and ends with the session. */
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

/** Browsers send the origin of a call; scripts need not. */
export function checkOrigin({ headers }: FastifyRequest): void {
  const { origin, host = '', 'sec-fetch-site': site } = headers;
  const isElsewhere = origin !== undefined && !hostsOf(origin).includes(host.toLowerCase());
  if (isElsewhere && site === 'same-origin') {
    throw new ApiError(
      403,
      'The proxy in front of Unwrite changes the header Host, so that this call looks like one of another site: let it pass Host as it came (nginx: proxy_set_header Host $http_host)',
    );
  }
  if (isElsewhere || (site !== undefined && site !== 'same-origin')) {
    throw new ApiError(403, 'This call comes from a page of another origin');
  }
}

/**
 * Possible Host headers of a call from its own origin: some proxies add the default port of the scheme. The scheme
 * is not compared, because behind a proxy that ends TLS we do not see the browser's.
 */
function hostsOf(origin: string): string[] {
  const [, scheme = '', host = ''] = /^(https?):\/\/([^/]+)$/i.exec(origin.toLowerCase()) ?? [];
  return host === '' ? [] : [host, `${host}:${scheme === 'https' ? 443 : 80}`];
}
