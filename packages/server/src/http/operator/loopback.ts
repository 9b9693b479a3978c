// Whether a call comes directly from this machine, and names it as localhost. A name that merely resolves to
// loopback does not count: another site's page can have one (DNS rebinding).
import type { IncomingMessage } from 'node:http';

const NAMES =
  /^(?:localhost|127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}|\[::1\])(?::\d{1,5})?$/i;
const PEERS = /^(?:::ffff:)?127\.|^::1$/;

/** Headers that proxies are known to add. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'x-original-forwarded-for',
  'client-ip',
  'cdn-loop',
  'x-envoy-external-address',
  'x-azure-clientip',
  'x-host',
  'x-original-host',
];

/** Headers that browsers or our page send. Proxies add other headers, under many names. */
const OF_BROWSERS = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-type',
  'content-length',
  'transfer-encoding',
  'user-agent',
  'origin',
  'referer',
  'cookie',
  'accept',
  'priority',
  'te',
  'expect',
  'cache-control',
  'pragma',
  'dnt',
  'upgrade-insecure-requests',
  'save-data',
]);
const OF_BROWSERS_TOO = /^(?:accept-|sec-|x-unwrite-)/;

export function isLoopbackHost(host: string): boolean {
  return NAMES.test(host);
}

export function isLoopbackPeer(request: Pick<IncomingMessage, 'socket'>): boolean {
  return PEERS.test(request.socket.remoteAddress ?? '');
}

/** The first forwarding header. */
export function forwardingHeader(headers: IncomingMessage['headers']): string | undefined {
  return Object.keys(headers).find(
    (name) => name.startsWith('x-forwarded-') || FORWARDING.includes(name),
  );
}

/** Stricter than a list of names: what shows that a call has not come directly from a browser. */
export function forwardedBy({
  headers,
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'httpVersion'>): string | undefined {
  const header = Object.keys(headers).find(
    (name) => !OF_BROWSERS.has(name) && !OF_BROWSERS_TOO.test(name),
  );
  // Browsers have not used HTTP/1.0 for twenty years; some proxies do.
  return header ?? (httpVersion === '1.0' ? 'HTTP/1.0' : undefined);
}

/** The port in the address; empty if it is the default of the scheme. */
export function portOf(host: string): string {
  return /:(\d+)$/.exec(host)?.[1] ?? '80';
}
