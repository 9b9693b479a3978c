// For each check, a processor that breaks exactly what it is about.
import type { Call, Fault, Reply } from '../helpers/processor.ts';
import { json, refusal } from '../helpers/processor.ts';

type Change = (body: Record<string, unknown>, call: Call) => Record<string, unknown> | Reply;

const isCreate = ({ method, path }: Call) => method === 'POST' && path === '/requests';
const isStatus = ({ method, path }: Call) => method === 'GET' && path.startsWith('/requests/');
const isCancel = ({ method }: Call) => method === 'DELETE';
const isDiscovery = ({ path }: Call) => path === '/discovery';
const isToken = ({ path }: Call) => path === '/oauth/token';
const hasToken = ({ headers }: Call) => String(headers.authorization).startsWith('Bearer token-');

/** Changes the JSON of answers with that status, and signs nothing anew. */
function changed(is: (call: Call) => boolean, status: number, change: Change): Fault {
  return (call, reply) => {
    if (!is(call) || reply.status !== status) return reply;
    const result = change(JSON.parse(reply.body), call);
    const isReply = typeof result.status === 'number' && typeof result.body === 'string';
    return isReply ? (result as unknown as Reply) : { ...reply, body: JSON.stringify(result) };
  };
}

const without = (is: (call: Call) => boolean, status: number, name: string) =>
  changed(is, status, ({ [name]: _, ...rest }) => rest);
const withValue = (is: (call: Call) => boolean, status: number, name: string, value: unknown) =>
  changed(is, status, (body) => ({ ...body, [name]: value }));
const withStatus =
  (is: (call: Call) => boolean, from: number, to: number): Fault =>
  (call, reply) =>
    is(call) && reply.status === from ? { ...reply, status: to } : reply;
const withoutHeader =
  (is: (call: Call) => boolean, status: number, name: string): Fault =>
  (call, reply) => {
    const { [name.toLowerCase()]: _, ...headers } = reply.headers;
    return is(call) && reply.status === status ? { ...reply, headers } : reply;
  };
const withHeader =
  (is: (call: Call) => boolean, status: number, name: string, value: string): Fault =>
  (call, reply) =>
    is(call) && reply.status === status
      ? { ...reply, headers: { ...reply.headers, [name]: value } }
      : reply;

/** Takes what it should refuse. */
const accepts = (is: (body: Record<string, unknown>) => boolean): Fault =>
  changed(isCreate, 400, (error, call) =>
    call.body !== undefined && is(call.body)
      ? json(201, { subject_request_id: call.body.subject_request_id ?? 'x' })
      : error,
  );
/** Refuses what it should take. */
const refuses = (is: (body: Record<string, unknown>) => boolean): Fault =>
  changed(isCreate, 201, (body, call) => (is(call.body ?? {}) ? refusal(400) : body));

/** Answers without a token, as if there were one; or with a token that it did not issue. */
const lets =
  (is: (call: Call) => boolean, isNone: boolean, status: number): Fault =>
  (call, reply) =>
    is(call) && !hasToken(call) && (call.headers.authorization === undefined) === isNone
      ? json(status, {})
      : reply;

/** Not the shape of an error. */
const shapeless = (is: (call: Call, reply: Reply) => boolean): Fault => {
  return (call, reply) =>
    reply.status >= 400 && is(call, reply)
      ? { ...reply, body: JSON.stringify({ error: 'something went wrong' }) }
      : reply;
};

const identityOf = (body: Record<string, unknown>) =>
  (body.subject_identities as Record<string, unknown>[] | undefined)?.[0];

export const CONTRACT_FAULTS: Readonly<Record<string, Fault>> = {
  'contract.token.answer': changed(isToken, 200, () => json(200, { token: 'x' })),
  'contract.token.secret': (call, reply) =>
    isToken(call) && reply.status === 401 ? json(200, { access_token: 'x' }) : reply,
  'contract.token.expiry': without(isToken, 200, 'expires_in'),
  'contract.token.audience': (() => {
    let token: Reply | undefined;
    return (call, reply) => {
      if (isToken(call) && reply.status === 200) token = reply;
      return (isToken(call) && token) || reply;
    };
  })(),
  'contract.auth.challenge': withoutHeader(isDiscovery, 401, 'WWW-Authenticate'),
  'contract.auth.discovery.none': lets(isDiscovery, true, 200),
  'contract.auth.create.none': lets(isCreate, true, 400),
  'contract.auth.status.none': lets(isStatus, true, 404),
  'contract.auth.cancel.none': lets(isCancel, true, 404),
  'contract.auth.discovery.wrong': lets(isDiscovery, false, 200),
  'contract.auth.create.wrong': lets(isCreate, false, 201),
  'contract.auth.status.wrong': lets(isStatus, false, 200),
  'contract.auth.cancel.wrong': lets(isCancel, false, 202),
  'contract.discovery.status': withStatus(isDiscovery, 200, 203),
  'contract.discovery.api_version': withValue(isDiscovery, 200, 'api_version', 2),
  'contract.discovery.email': withValue(isDiscovery, 200, 'supported_identities', [
    { identity_type: 'email', identity_format: 'sha256' },
    { identity_type: 'controller_customer_id', identity_format: 'raw' },
  ]),
  'contract.discovery.controller_customer_id': withValue(isDiscovery, 200, 'supported_identities', [
    { identity_type: 'email', identity_format: 'raw' },
  ]),
  'contract.discovery.erasure': withValue(isDiscovery, 200, 'supported_subject_request_types', [
    'access',
  ]),
  'contract.create.status': withStatus(isCreate, 201, 202),
  'contract.create.controller_id': without(isCreate, 201, 'controller_id'),
  'contract.create.expected_completion_time': withValue(
    isCreate,
    201,
    'expected_completion_time',
    '15.12.2026',
  ),
  'contract.create.received_time': withValue(isCreate, 201, 'received_time', 1_800_000_000),
  'contract.create.encoded_request': withValue(isCreate, 201, 'encoded_request', '{}'),
  'contract.create.subject_request_id': changed(isCreate, 201, (body) => ({
    ...body,
    subject_request_id: String(body.subject_request_id).toUpperCase(),
  })),
  'contract.create.processor_signature': withValue(isCreate, 201, 'processor_signature', ''),
  'contract.create.thirty_days': changed(isCreate, 201, (body) => ({
    ...body,
    expected_completion_time: body.received_time,
  })),
  // Parsed, and written anew.
  'contract.create.encoded_bytes': changed(isCreate, 201, (body, call) => ({
    ...body,
    encoded_request: Buffer.from(JSON.stringify(call.body)).toString('base64'),
  })),
  // Its local time, with the Z of another.
  'contract.create.received_now': changed(isCreate, 201, (body) => ({
    ...body,
    received_time: new Date(Date.parse(String(body.received_time)) + 2 * 3_600_000).toISOString(),
  })),
  'contract.create.x-opendsr-processor-domain': withoutHeader(
    isCreate,
    201,
    'X-OpenDSR-Processor-Domain',
  ),
  'contract.create.x-opendsr-signature': withoutHeader(isCreate, 201, 'X-OpenDSR-Signature'),
  'contract.create.accepts.ccpa': refuses((body) => body.regulation === 'ccpa'),
  'contract.create.accepts.customer_id': refuses(
    (body) => identityOf(body)?.identity_type === 'controller_customer_id',
  ),
  'contract.create.accepts.two_identities': refuses(
    (body) => (body.subject_identities as unknown[] | undefined)?.length === 2,
  ),
  'contract.create.accepts.no_identities': refuses((body) => body.subject_identities === undefined),
  'contract.create.accepts.callbacks': refuses((body) => body.status_callback_urls !== undefined),
  'contract.create.accepts.no_version': refuses((body) => body.api_version === undefined),
  'contract.create.accepts.offset': refuses((body) => !String(body.submitted_time).endsWith('Z')),
  'contract.create.refuses.type': accepts((body) => body.subject_request_type === 'access'),
  'contract.create.refuses.no_type': accepts((body) => body.subject_request_type === undefined),
  'contract.create.refuses.regulation': accepts((body) => body.regulation === 'hipaa'),
  'contract.create.refuses.no_regulation': accepts((body) => body.regulation === undefined),
  'contract.create.refuses.id': accepts((body) => body.subject_request_id === 'conformance-1'),
  'contract.create.refuses.id_version': accepts((body) =>
    /^.{14}1/.test(String(body.subject_request_id)),
  ),
  'contract.create.refuses.no_id': accepts((body) => body.subject_request_id === undefined),
  'contract.create.refuses.time': accepts((body) => body.submitted_time === 'yesterday'),
  'contract.create.refuses.time_date': accepts((body) =>
    String(body.submitted_time).startsWith('2026-02-30'),
  ),
  'contract.create.refuses.no_time': accepts((body) => body.submitted_time === undefined),
  'contract.create.refuses.identities': accepts(
    (body) => !Array.isArray(body.subject_identities ?? []),
  ),
  'contract.create.refuses.identity_type': accepts(
    (body) => identityOf(body)?.identity_type === 'phone',
  ),
  'contract.create.refuses.identity_format': accepts(
    (body) => identityOf(body)?.identity_format === 'sha256',
  ),
  'contract.create.refuses.no_value': accepts(
    (body) => identityOf(body) !== undefined && identityOf(body)?.identity_value === undefined,
  ),
  'contract.create.refuses.value': accepts((body) => identityOf(body)?.identity_value === 7),
  'contract.create.refuses.version': accepts((body) => body.api_version === '3.0'),
  'contract.create.refuses.json': (call, reply) =>
    isCreate(call) && call.body === undefined && hasToken(call) ? refusal(500) : reply,
  'contract.create.duplicate': withStatus(isCreate, 409, 200),
  'contract.create.duplicate_case': (call, reply) =>
    reply.status === 409 && /[A-F]/.test(String(call.body?.subject_request_id))
      ? json(201, {})
      : reply,
  'contract.create.refused_is_not_stored': changed(isStatus, 404, (_, call) =>
    json(200, { subject_request_id: call.path.split('/').at(-1), request_status: 'cancelled' }),
  ),
  'contract.status.status': withStatus(isStatus, 200, 206),
  'contract.status.controller_id': withValue(isStatus, 200, 'controller_id', 7),
  'contract.status.expected_completion_time': withValue(
    isStatus,
    200,
    'expected_completion_time',
    '2026-12-15',
  ),
  'contract.status.subject_request_id': without(isStatus, 200, 'subject_request_id'),
  'contract.status.request_status': changed(isStatus, 200, (body) => ({
    ...body,
    request_status: body.request_status === 'pending' ? 'received' : body.request_status,
  })),
  'contract.status.api_version': withValue(isStatus, 200, 'api_version', '2'),
  'contract.status.same_controller': withValue(isStatus, 200, 'controller_id', 'globex'),
  'contract.status.same_time': withValue(
    isStatus,
    200,
    'expected_completion_time',
    '2030-01-01T00:00:00Z',
  ),
  'contract.status.unknown': changed(isStatus, 404, () =>
    json(200, { request_status: 'cancelled' }),
  ),
  // As a database that is asked for a UUID.
  'contract.status.no_uuid': (call, reply) =>
    call.path.endsWith('/conformance-1') ? refusal(500) : reply,
  'contract.cancel.status': withStatus(isCancel, 202, 200),
  'contract.cancel.controller_id': without(isCancel, 202, 'controller_id'),
  'contract.cancel.received_time': withValue(isCancel, 202, 'received_time', 'now'),
  'contract.cancel.processor_signature': without(isCancel, 202, 'processor_signature'),
  'contract.cancel.api_version': without(isCancel, 202, 'api_version'),
  'contract.cancel.subject_request_id': withValue(isCancel, 202, 'subject_request_id', 'x'),
  'contract.cancel.state': changed(isStatus, 200, (body) => ({
    ...body,
    request_status: body.request_status === 'cancelled' ? 'pending' : body.request_status,
  })),
  'contract.cancel.again': withStatus(isCancel, 400, 202),
  // A second one undoes the first.
  'contract.cancel.unchanged': (() => {
    let hasRefused = false;
    return (call, reply) => {
      if (isCancel(call)) hasRefused = reply.status === 400;
      const isShown = hasRefused && isStatus(call) && reply.status === 200;
      return isShown ? { ...reply, body: reply.body.replace('cancelled', 'completed') } : reply;
    };
  })(),
  'contract.cancel.unknown': withStatus(isCancel, 404, 202),
  'contract.errors.create_400': shapeless(({ body }) => body?.regulation === 'hipaa'),
  'contract.errors.create_json': shapeless(
    (call) => isCreate(call) && call.body === undefined && hasToken(call),
  ),
  'contract.errors.create_409': shapeless((_, { status }) => status === 409),
  'contract.errors.status_404': shapeless((call, { status }) => isStatus(call) && status === 404),
  'contract.errors.cancel_404': shapeless((call, { status }) => isCancel(call) && status === 404),
  'contract.errors.cancel_400': changed(isCancel, 400, () => refusal(400, '')),
  'contract.errors.token_401': changed(isDiscovery, 401, () => ({
    ...json(401, { error: { code: '401', message: 'no' } }),
  })),
  'contract.errors.json': (_, reply) =>
    reply.status === 404
      ? { ...reply, headers: { ...reply.headers, 'content-type': 'text/html' } }
      : reply,
  'contract.answers.json': withHeader(isStatus, 200, 'content-type', 'text/plain'),
  'contract.errors.identities': changed(isCreate, 409, (_, call) =>
    refusal(409, `there is a request for ${identityOf(call.body ?? {})?.identity_value}`),
  ),
  'contract.errors.other_requests': (() => {
    const known: string[] = [];
    return (call, reply) => {
      if (isCreate(call) && reply.status === 201) known.push(String(call.body?.subject_request_id));
      return isStatus(call) && reply.status === 404
        ? refusal(404, `there are only ${known.join()}`)
        : reply;
    };
  })(),
};

/** Those of OpenDSR as published, for a processor with a certificate; where one is not here, that of the contract serves. */
export const OPENDSR_FAULTS: Readonly<Record<string, Fault>> = {
  'opendsr.discovery.api_version': without(isDiscovery, 200, 'api_version'),
  'opendsr.discovery.identities': withValue(isDiscovery, 200, 'supported_identities', [
    { identity_type: 'phone', identity_format: 'raw' },
  ]),
  'opendsr.discovery.request_types': withValue(
    isDiscovery,
    200,
    'supported_subject_request_types',
    ['deletion'],
  ),
  'opendsr.discovery.certificate': without(isDiscovery, 200, 'processor_certificate'),
  'opendsr.certificate.download': (call, reply) =>
    call.path === '/certificate.pem' ? { ...reply, body: 'hello' } : reply,
  'opendsr.certificate.domain': changed(isDiscovery, 200, (body) => ({
    ...body,
    processor_certificate: String(body.processor_certificate).replace('localhost', '127.0.0.1'),
  })),
  'opendsr.create.received_time': withValue(isCreate, 201, 'received_time', '2026-11-15T24:00:00Z'),
  'opendsr.create.processor_signature': withValue(
    isCreate,
    201,
    'processor_signature',
    'not-yet-implemented',
  ),
  'opendsr.create.extensions': refuses((body) => body.extensions !== undefined),
  'opendsr.errors.status': withStatus(isCreate, 400, 422),
  'opendsr.errors.duplicate': withStatus(
    (call) => isCreate(call) && call.body?.submitted_time !== undefined,
    400,
    409,
  ),
  'opendsr.errors.identities': changed(isCreate, 400, (_, call) =>
    refusal(400, `cannot erase ${identityOf(call.body ?? {})?.identity_value}`),
  ),
  'opendsr.errors.object': changed(isCreate, 400, () => ({ problem: 'no' })),
  'opendsr.errors.code': changed(isCreate, 400, () =>
    json(400, { error: { code: '400', message: 'no' } }),
  ),
  'opendsr.cancel.processor_signature': without(isCancel, 202, 'processor_signature'),
  // It forgets what was cancelled.
  'opendsr.cancel.state': changed(isStatus, 200, (body) =>
    body.request_status === 'cancelled' ? refusal(404) : body,
  ),
  'opendsr.former_names': (call, reply) =>
    call.path.startsWith('/opengdpr_') ? refusal(404) : reply,
  'opendsr.create.domain': withHeader(isCreate, 201, 'x-opendsr-processor-domain', 'evil.test'),
  'opendsr.create.signature': withHeader(
    isCreate,
    201,
    'x-opendsr-signature',
    'not-yet-implemented',
  ),
  'opendsr.status.domain': withoutHeader(isStatus, 200, 'X-OpenDSR-Processor-Domain'),
  'opendsr.status.signature': (call, reply) =>
    isStatus(call) ? { ...reply, body: `${reply.body} ` } : reply,
  'opendsr.cancel.domain': withHeader(isCancel, 202, 'x-opendsr-processor-domain', 'evil.test'),
  'opendsr.cancel.signature': withoutHeader(isCancel, 202, 'X-OpenDSR-Signature'),
};
