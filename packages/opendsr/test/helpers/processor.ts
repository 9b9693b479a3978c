// A processor that keeps the contract, in memory: a real HTTP server on loopback. Tests break it as they need.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Call {
  readonly method: string;
  /** Below /v2. */
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Undefined where it is no JSON. */
  readonly body: Record<string, unknown> | undefined;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers in place of the processor, or changes its answer; undefined breaks the connection. */
export type Fault = (call: Call, reply: Reply) => Reply | undefined | Promise<Reply | undefined>;

export interface StoredRequest {
  status: string;
  readonly body: Record<string, unknown>;
  readonly times: { readonly received_time: string; readonly expected_completion_time: string };
}

export interface MemoryProcessor {
  readonly url: string;
  readonly requests: Map<string, StoredRequest>;
  /** In order, without those for tokens. */
  readonly calls: Call[];
  fault: Fault | undefined;
  /** Signs every success; without it the signature is the placeholder. */
  sign: ((bytes: Buffer) => string) | undefined;
  /** What discovery names, and what is there. */
  certificate: string | undefined;
  readonly environment: Record<string, string>;
  close(): Promise<void>;
}

const DOMAIN = 'localhost';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const CREDENTIALS = { client_id: 'cli_test', client_secret: 'right', audience: 'https://api.test' };

export async function startMemoryProcessor(): Promise<MemoryProcessor> {
  const token = `token-${randomUUID()}`;
  const server = createServer(async (request, response) => {
    const text = (await buffer(request)).toString();
    const path = (request.url ?? '').replace(/^\/v2/, '');
    const method = request.method ?? '';
    const call = { method, path, headers: request.headers, text, body: parsed(text) };
    if (path !== '/oauth/token') processor.calls.push(call);
    const right = answerOf(processor, call, token);
    const reply = processor.fault === undefined ? right : await processor.fault(call, right);
    if (reply === undefined) response.destroy();
    else response.writeHead(reply.status, { ...reply.headers }).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const processor: MemoryProcessor = {
    url: `http://localhost:${port}/v2`,
    requests: new Map(),
    calls: [],
    fault: undefined,
    sign: undefined,
    certificate: undefined,
    environment: {
      OPENDSR_BASE_URL: `http://localhost:${port}/v2`,
      OPENDSR_TOKEN_URL: `http://localhost:${port}/oauth/token`,
      OPENDSR_CLIENT_ID: CREDENTIALS.client_id,
      OPENDSR_CLIENT_SECRET: CREDENTIALS.client_secret,
      OPENDSR_AUDIENCE: CREDENTIALS.audience,
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return processor;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const json = (status: number, body: object): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

export const refusal = (code: number, message = 'no') => json(code, { error: { code, message } });

function answerOf(processor: MemoryProcessor, call: Call, token: string): Reply {
  if (call.path === '/oauth/token') return tokenReply(call, token);
  if (call.path === '/certificate.pem') {
    return { status: 200, headers: {}, body: processor.certificate ?? '' };
  }
  if (call.headers.authorization !== `Bearer ${token}`) {
    const { headers, ...answer } = refusal(401);
    return { ...answer, headers: { ...headers, 'www-authenticate': 'Bearer' } };
  }
  const reply = route(processor, call);
  return reply.status < 300 ? signedReply(processor, reply) : reply;
}

function tokenReply({ body }: Call, token: string): Reply {
  const isRight = Object.entries(CREDENTIALS).every(([name, value]) => body?.[name] === value);
  if (!isRight || body?.grant_type !== 'client_credentials') return refusal(401);
  return json(200, { access_token: token, token_type: 'Bearer', expires_in: 3600 });
}

export function signedReply({ sign }: MemoryProcessor, reply: Reply): Reply {
  const headers = {
    ...reply.headers,
    'x-opendsr-processor-domain': DOMAIN,
    'x-opendsr-signature': sign?.(Buffer.from(reply.body)) ?? 'not-yet-implemented',
  };
  return { ...reply, headers };
}

function route(processor: MemoryProcessor, call: Call): Reply {
  if (call.path === '/discovery') return discovery(processor);
  if (call.path === '/requests' && call.method === 'POST') return create(processor, call);
  const [, former, id = ''] = /^\/(opengdpr_)?requests\/([^/]+)$/.exec(call.path) ?? [];
  const request = processor.requests.get(id.toLowerCase());
  if (request === undefined) return refusal(404);
  if (call.method === 'DELETE' && former === undefined) return cancel(id, request);
  return json(200, {
    controller_id: 'acme',
    expected_completion_time: request.times.expected_completion_time,
    subject_request_id: id,
    request_status: request.status,
    api_version: '2.0',
  });
}

function discovery({ url, certificate }: MemoryProcessor): Reply {
  return json(200, {
    api_version: '2.0',
    supported_identities: ['email', 'controller_customer_id'].map((identity_type) => ({
      identity_type,
      identity_format: 'raw',
    })),
    supported_subject_request_types: ['erasure'],
    ...(certificate !== undefined && { processor_certificate: `${url}/certificate.pem` }),
  });
}

function create({ requests }: MemoryProcessor, { body, text }: Call): Reply {
  if (body === undefined || !isValid(body)) return refusal(400);
  const id = String(body.subject_request_id);
  if (requests.has(id.toLowerCase())) return refusal(409);
  const now = Date.now();
  const times = {
    received_time: new Date(now).toISOString(),
    expected_completion_time: new Date(now + 30 * 86_400_000).toISOString(),
  };
  requests.set(id.toLowerCase(), { status: 'pending', body, times });
  return json(201, {
    controller_id: 'acme',
    ...times,
    encoded_request: Buffer.from(text).toString('base64'),
    subject_request_id: id,
    processor_signature: 'not-yet-implemented',
  });
}

function isValid(body: Record<string, unknown>): boolean {
  const identities = body.subject_identities ?? [];
  const time = String(body.submitted_time);
  return (
    ['gdpr', 'ccpa'].includes(String(body.regulation)) &&
    UUID.test(String(body.subject_request_id)) &&
    body.subject_request_type === 'erasure' &&
    /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(time) &&
    new Date(`${time.slice(0, 10)}T00:00:00Z`).toJSON()?.slice(0, 10) === time.slice(0, 10) &&
    [undefined, '2.0'].includes(body.api_version as string) &&
    Array.isArray(identities) &&
    identities.every(
      (it) =>
        ['email', 'controller_customer_id'].includes(it?.identity_type) &&
        typeof it?.identity_value === 'string' &&
        it?.identity_format === 'raw',
    )
  );
}

function cancel(id: string, request: StoredRequest): Reply {
  if (request.status !== 'pending') return refusal(400);
  request.status = 'cancelled';
  return json(202, {
    controller_id: 'acme',
    received_time: new Date().toISOString(),
    subject_request_id: id,
    processor_signature: 'not-yet-implemented',
    api_version: '2.0',
  });
}
