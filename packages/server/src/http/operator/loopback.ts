// Whether a call comes from this machine, directly, by a name of this machine. A name that merely resolves to
// loopback does not count: a foreign page can have one (DNS rebinding).
import type { IncomingMessage } from 'node:http';

const NAMES = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const PEERS = /^(?:::ffff:)?127\.|^::1$/;

/** What proxies add: a call with one of these has not come directly. */
const FORWARDING = [
  ...['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip'],
  ...['cf-connecting-ip', 'fastly-client-ip', 'x-original-forwarded-for'],
];

export function isLoopbackHost(host: string): boolean {
  return NAMES.test(host);
}

export function isLoopbackPeer(request: Pick<IncomingMessage, 'socket'>): boolean {
  return PEERS.test(request.socket.remoteAddress ?? '');
}

/** The first of them, for the message. */
export function forwardingHeader(headers: IncomingMessage['headers']): string | undefined {
  return Object.keys(headers).find(
    (name) => name.startsWith('x-forwarded-') || FORWARDING.includes(name),
  );
}

/** As it stands in the address: empty where it is the scheme's own. */
export function portOf(host: string): string {
  return /:(\d+)$/.exec(host)?.[1] ?? '80';
}
