// One request and its answer: no redirects, limited in time and size.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { CallFailed } from './call-failed.ts';
import { connectionFailure } from './connection-failure.ts';
import type { KeptConnections } from './kept-connections.ts';
import {
  type AddressRule,
  addressBlocked,
  type Lookup,
  reachableAddresses,
} from './reachable-addresses.ts';

/** Interim responses (1xx). No server needs more. */
const MAX_INTERIM_ANSWERS = 10;

export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Reads the body of a 200. Without it no body is read: an answer may be of any size. */
  readonly read?: (response: IncomingMessage, host: string) => Promise<Uint8Array>;
  /** Bodies of other answers are read too. */
  readonly readsAll?: true;
  /** Connections to use again; without it, one is opened and closed. */
  readonly kept?: KeptConnections;
  /** Aborts connecting, headers and body alike. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty if it was not read: nothing that is not used is kept. */
  readonly body: Uint8Array;
}

export async function exchange(
  { method, url, headers, body, read, readsAll, kept, signal }: Exchange,
  rule: AddressRule,
  lookup: Lookup,
): Promise<Answer> {
  try {
    const addresses = await reachableAddresses(url, rule, lookup, signal);
    const { request } =
      url.protocol === 'https:' ? await import('node:https') : await import('node:http');
    const pinned: LookupFunction = (_, options, done) =>
      options.all
        ? done(null, [...addresses])
        : done(null, addresses[0]?.address ?? '', addresses[0]?.family);
    const agent = (await kept?.agent()) ?? false;
    const call = request({
      method,
      signal,
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      path: url.pathname + url.search,
      headers: { ...headers, 'content-length': body.length },
      agent,
      lookup: pinned,
    });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      let interim = 0;
      call.once('response', resolve);
      call.on('error', reject);
      call.once('upgrade', (_, socket) => {
        socket.destroy();
        reject(new CallFailed('http_101', `${url.host} answered 101 to a ${method}`));
      });
      call.on('information', () => {
        if (++interim > MAX_INTERIM_ANSWERS)
          call.destroy(new CallFailed('bad_answer', `${url.host} sends 1xx responses without end`));
      });
      // Covers every other way in which it may end: the caller must not wait forever.
      call.once('close', () => reject(new Error('closed')));
      call.once('socket', (socket) => {
        // Only pinned addresses are dialled; this is a second check.
        const check = () => {
          const address = socket.remoteAddress ?? '';
          const refusal = rule.refusalOf(address);
          if (refusal) socket.destroy(addressBlocked(url.host, address, refusal));
        };
        // A connection that is used again gets no listener for each call.
        if (socket.connecting) socket.once('connect', check);
        else check();
      });
      call.end(body);
    });
    const status = response.statusCode ?? 0;
    try {
      const isRead = status === 200 || readsAll === true;
      const bytes = isRead ? await read?.(response, url.host) : undefined;
      return { status, headers: response.headers, body: bytes ?? new Uint8Array() };
    } finally {
      response.destroy();
    }
  } catch (error) {
    throw connectionFailure(error, url);
  }
}
