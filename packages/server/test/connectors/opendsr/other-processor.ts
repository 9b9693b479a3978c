// Another company's OpenDSR processor: a real HTTP server on loopback that keeps requests, in the dialect that a test says.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { OpendsrTargetConfig } from '../../../src/domain/target/target.ts';

export interface Dialect {
  /** For a request that it does not know. */
  readonly unknown: 404 | 400;
  /** For a second request with one id. */
  readonly duplicate: 409 | 400;
}

export interface SentRequest {
  readonly subject_request_id: string;
  readonly [name: string]: unknown;
}

type Trick =
  | 'lose the answer'
  | 'lose the request'
  /** No answer, and it knows the request only when the next one comes. */
  | 'be late'
  | 'refuse'
  | 'say that it is a duplicate';

export interface OtherProcessor {
  readonly url: string;
  /** What it was sent, whether or not it took it. */
  readonly posts: SentRequest[];
  /** Statuses by id. */
  readonly requests: Map<string, string>;
  readonly authorizations: Set<string | undefined>;
  dialect: Dialect;
  /** For the next creation alone. */
  trick: Trick | undefined;
  /** Whether it gives receipts. */
  hasReceipts: boolean;
  headers: (body: string) => Record<string, string>;
  close(): Promise<void>;
}

export async function startOtherProcessor(): Promise<OtherProcessor> {
  const late: string[] = [];
  const server = createServer(async (call, response) => {
    const { method, url: path = '' } = call;
    other.authorizations.add(call.headers.authorization);
    const answer = (status: number, body: object) => {
      const text = JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json', ...other.headers(text) });
      response.end(text);
    };
    const refuse = (status: number) => answer(status, { error: { code: status, message: 'no' } });
    if (path === '/discovery') return answer(200, DISCOVERY);
    if (path.startsWith('/receipts/')) {
      const id = path.slice('/receipts/'.length).split('?')[0];
      return other.hasReceipts ? answer(200, { subject_request_id: id }) : refuse(404);
    }
    if (method === 'POST') {
      const body = (await json(call)) as SentRequest;
      const { subject_request_id: id } = body;
      const { trick } = other;
      other.trick = undefined;
      other.posts.push(body);
      for (const one of late.splice(0)) other.requests.set(one, 'pending');
      if (trick === 'be late') {
        late.push(id);
        return call.socket.destroy();
      }
      if (trick === 'refuse') return refuse(400);
      if (trick === 'lose the request') return call.socket.destroy();
      if (trick === 'say that it is a duplicate' || other.requests.has(id)) {
        other.requests.set(id, other.requests.get(id) ?? 'in_progress');
        return refuse(other.dialect.duplicate);
      }
      other.requests.set(id, 'pending');
      if (trick === 'lose the answer') return call.socket.destroy();
      return answer(201, { controller_id: 'us', subject_request_id: id });
    }
    const id = path.split('/').at(-1) ?? '';
    const status = other.requests.get(id);
    if (status === undefined) return refuse(other.dialect.unknown);
    answer(200, { controller_id: 'us', subject_request_id: id, request_status: status });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const other: OtherProcessor = {
    url: `http://127.0.0.1:${port}`,
    posts: [],
    requests: new Map(),
    authorizations: new Set(),
    dialect: { unknown: 404, duplicate: 409 },
    trick: undefined,
    hasReceipts: false,
    headers: () => ({}),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return other;
}

const DISCOVERY = {
  api_version: '2.0',
  supported_identities: [{ identity_type: 'email', identity_format: 'raw' }],
  supported_subject_request_types: ['erasure'],
};

export function opendsrTarget(
  url: string,
  changes: Partial<OpendsrTargetConfig> = {},
): OpendsrTargetConfig {
  return {
    name: 'mailer',
    connector: 'opendsr',
    mode: 'erase',
    controllers: null,
    maxRowsPerSubject: 1000,
    maxRowsPerDay: null,
    batchSize: 20,
    concurrency: 1,
    hours: null,
    whenUnmatched: 'hold',
    digest: 'digest',
    planDigest: 'place-plan',
    url,
    requestsPath: '/requests',
    auth: { kind: 'basic', username: 'us', password: 'secret' },
    isShared: false,
    identities: ['email'],
    signed: null,
    allowPrivate: ['127.0.0.0/8'],
    timeout: 20_000,
    lookAgain: 3_600_000,
    ...changes,
  };
}
