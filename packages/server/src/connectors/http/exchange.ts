// One request and its answer: no redirects, no connection reuse, limited in time and size.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { TargetDown } from '../../domain/target/connector.ts';
import { connectionFailure } from './connection-failure.ts';
import {
  type AddressRule,
  addressBlocked,
  type Lookup,
  reachableAddresses,
} from './reachable-addresses.ts';
import { refusalOf } from './status-refusal.ts';

/** Interim responses (1xx). No server needs more. */
const MAX_INTERIM_ANSWERS = 10;
export const MAX_ANSWER_BYTES = 1_048_576;

export interface Exchange {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Aborts connecting, headers and body alike. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Read only for a 200: nothing else that a target sends is used. */
  readonly body: Uint8Array;
}

export async function exchange(
  { method, url, headers, body, signal }: Exchange,
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
    const call = request({
      method,
      signal,
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      path: url.pathname + url.search,
      headers: { ...headers, 'content-length': body.length },
      agent: false,
      lookup: pinned,
    });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      let interim = 0;
      call.once('response', resolve);
      call.on('error', reject);
      call.once('upgrade', (_, socket) => {
        socket.destroy();
        reject(refusalOf(101, url.host));
      });
      call.on('information', () => {
        if (++interim > MAX_INTERIM_ANSWERS)
          call.destroy(new TargetDown('bad_answer', `${url.host} sends 1xx responses without end`));
      });
      // Covers every other way in which it may end: the caller must not wait forever.
      call.once('close', () => reject(new Error('closed')));
      call.once('socket', (socket) =>
        socket.once('connect', () => {
          // Only pinned addresses are dialled; this is a second check.
          const address = socket.remoteAddress ?? '';
          const refusal = rule.refusalOf(address);
          if (refusal) socket.destroy(addressBlocked(url.host, address, refusal));
        }),
      );
      call.end(body);
    });
    const status = response.statusCode ?? 0;
    try {
      const read = status === 200 ? await readBody(response, url.host) : new Uint8Array();
      return { status, headers: response.headers, body: read };
    } finally {
      response.destroy();
    }
  } catch (error) {
    throw connectionFailure(error, url);
  }
}

async function readBody(response: IncomingMessage, host: string): Promise<Uint8Array> {
  if (response.headers['content-encoding'] !== undefined)
    throw new TargetDown(
      'bad_answer',
      `${host} sent its answer with a Content-Encoding; send it without one`,
    );
  const type = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new TargetDown('bad_answer', `${host} answered 200 without application/json`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES)
      throw new TargetDown(
        'answer_too_large',
        `${host} answered with more than ${MAX_ANSWER_BYTES} bytes; answer only what is documented`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
