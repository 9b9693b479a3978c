// A processor that answers as a test says: a real HTTP server on loopback, with a token endpoint.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ErasureClient, type ErasureClientOptions } from '../../src/index.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Handler = (received: Received, response: ServerResponse) => void | Promise<void>;

export interface TestProcessor {
  readonly url: string;
  /** Without those for tokens. */
  readonly received: Received[];
  readonly tokenRequests: Received[];
  /** The answers to come, in order; the last is used for all after it. */
  answers(...handlers: Handler[]): void;
  tokens(...handlers: Handler[]): void;
  client(options?: Partial<ErasureClientOptions>): ErasureClient;
  close(): Promise<void>;
}

export const CREDENTIALS = {
  clientId: 'cli_test',
  clientSecret: 'secret-of-the-test',
  audience: 'https://api.test',
};

/** Waits are noted, and take no time. */
export function countedClock(start = 1_800_000_000_000) {
  const waits: number[] = [];
  let now = start;
  return {
    waits,
    now: () => now,
    advance(milliseconds: number) {
      now += milliseconds;
    },
    async wait(milliseconds: number, signal?: AbortSignal) {
      signal?.throwIfAborted();
      waits.push(milliseconds);
      now += milliseconds;
    },
  };
}

export async function startProcessor(): Promise<TestProcessor> {
  const received: Received[] = [];
  const tokenRequests: Received[] = [];
  let handlers: Handler[] = [];
  let tokenHandlers: Handler[] = [token()];
  const next = (list: Handler[]) => (list.length > 1 ? list.shift() : list[0]);
  const server: Server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => Buffer.alloc(0));
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, body };
    const isToken = path === '/oauth/token';
    (isToken ? tokenRequests : received).push(one);
    await next(isToken ? tokenHandlers : handlers)?.(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    received,
    tokenRequests,
    answers(...given) {
      handlers = given;
    },
    tokens(...given) {
      tokenHandlers = given;
    },
    client: (options = {}) =>
      new ErasureClient({
        baseUrl: url,
        tokenUrl: `${url}/oauth/token`,
        ...CREDENTIALS,
        clock: countedClock(),
        ...options,
      } as ErasureClientOptions),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

export const failure = (status: number, message: string, headers: Record<string, string> = {}) =>
  answer(status, { error: { code: status, message } }, headers);

export const token = (seconds = 3600): Handler =>
  answer(200, { access_token: `token-${randomUUID()}`, token_type: 'Bearer', expires_in: seconds });

/** The connection breaks after the request was read. */
export const broken: Handler = (_, response) => {
  response.destroy();
};

export const created: Handler = (received, response) => {
  const { subject_request_id } = JSON.parse(received.body.toString());
  answer(201, {
    controller_id: 'acme',
    expected_completion_time: '2026-12-15T02:00:00.000Z',
    received_time: '2026-11-15T02:00:00.000Z',
    encoded_request: received.body.toString('base64'),
    subject_request_id,
    processor_signature: 'not-yet-implemented',
  })(received, response);
};

export const status =
  (request_status = 'pending'): Handler =>
  (received, response) =>
    answer(200, {
      controller_id: 'acme',
      expected_completion_time: '2026-12-15T02:00:00.000Z',
      subject_request_id: received.path.split('/').at(-1),
      request_status,
      api_version: '2.0',
    })(received, response);

export const cancelled: Handler = (received, response) =>
  answer(202, {
    controller_id: 'acme',
    received_time: '2026-11-15T02:00:00.000Z',
    subject_request_id: received.path.split('/').at(-1),
    processor_signature: 'not-yet-implemented',
    api_version: '2.0',
  })(received, response);

export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error('it was not rejected');
    },
    (error: unknown) => error,
  );

export const REQUEST = {
  regulation: 'gdpr',
  submitted_time: '2026-11-15T02:00:00Z',
  subject_identities: [
    { identity_type: 'email', identity_value: 'jane.doe@example.com', identity_format: 'raw' },
  ],
} as const;
