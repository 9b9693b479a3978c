// An operator's endpoint: a real HTTP server on loopback that answers what the test says.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { HttpTargetConfig } from '../../../src/domain/target/target.ts';
import { CERTIFICATE, KEY } from './localhost-certificate.ts';

export interface ReceivedCall {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Given as JSON, or written by hand. */
export type Handler = (call: ReceivedCall, response: ServerResponse) => unknown;

export interface EndpointServer {
  readonly port: number;
  readonly url: string;
  readonly calls: ReceivedCall[];
  close(): Promise<void>;
}

export async function startEndpoint(handle: Handler, isTls = false): Promise<EndpointServer> {
  const calls: ReceivedCall[] = [];
  const create = isTls
    ? (listener: Parameters<typeof createServer>[1]) =>
        createTlsServer({ key: KEY, cert: CERTIFICATE }, listener)
    : (listener: Parameters<typeof createServer>[1]) => createServer({}, listener);
  const server = create(async (request, response) => {
    const { method, url: path, headers } = request;
    const call = { method, path, headers, body: await text(request) };
    calls.push(call);
    const answer = handle(call, response);
    if (answer !== undefined) sendJson(response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${isTls ? 'https://localhost' : 'http://127.0.0.1'}:${port}/erase`,
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
}

export function httpTarget(url: string, changes: Partial<HttpTargetConfig> = {}): HttpTargetConfig {
  return {
    name: 'crm',
    connector: 'http',
    mode: 'erase',
    controllers: null,
    maxRowsPerSubject: 1000,
    maxRowsPerDay: null,
    batchSize: 10,
    concurrency: 1,
    hours: null,
    whenUnmatched: 'hold',
    digest: 'digest',
    planDigest: 'digest',
    url,
    auth: { kind: 'none' },
    verify: 'requery',
    allowPrivate: ['127.0.0.0/8'],
    timeout: 20_000,
    pollTimeout: 60_000,
    ...changes,
  };
}
