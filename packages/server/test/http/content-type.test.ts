import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../helpers/http/api.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { type RawAnswer, rawRequest, send } from '../helpers/http/raw-socket.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: TestController;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service);
});
afterAll(() => service.close());

function create(headers: Record<string, string>, body = JSON.stringify(requestBody())) {
  return call(`${service.url}/requests`, { method: 'POST', token: acme.token, headers, body });
}

/** With the header lines exactly as given. */
async function createRaw(lines: string[], body = JSON.stringify(requestBody())) {
  const headers = [
    'Host: localhost',
    'Connection: close',
    `Authorization: Bearer ${acme.token}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...lines,
  ];
  const [answer] = await send(service.url, rawRequest('POST /requests HTTP/1.1', headers, body));
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

function expectUnsupported(answer: RawAnswer): void {
  expect(expectError(answer, 415)).toBe(
    'Send Content-Type: application/json, in UTF-8 and without Content-Encoding',
  );
}

const ACCEPTED = [
  'application/json',
  'Application/JSON',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json ; charset="utf-8"',
  'application/json;',
];

const REFUSED = [
  'text/plain',
  'text/json',
  'application/jsonx',
  'application/json-patch+json',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=iso-8859-1',
  'application/json; charset=',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json, text/plain',
  'text/plain, application/json',
  'text/plain; application/json',
  'application/json text/plain',
  'application/json/',
  'application',
  '*/*',
  'application/*',
];

describe('the content type of a new request', () => {
  it.each(ACCEPTED)('may be %j, and the body is validated', async (type) => {
    expect((await create({ 'content-type': type })).status).toBe(201);
    expectError(await create({ 'content-type': type }, '{"regulation":"x"}'), 400);
  });

  it.each(REFUSED)('may not be %j', async (type) => {
    expectUnsupported(await create({ 'content-type': type }));
  });

  it('may not be missing, with a body or without', async () => {
    expectUnsupported(await createRaw([]));
    expectUnsupported(await createRaw([], ''));
    expectUnsupported(await createRaw(['Content-Type:']));
  });

  it('may not be there twice, even when both are right', async () => {
    const json = 'Content-Type: application/json';
    expectUnsupported(await createRaw([json, json]));
    expectUnsupported(await createRaw([json, 'Content-Type: text/plain']));
    expectUnsupported(await createRaw(['Content-Type: text/plain', json]));
  });

  it.each([
    'Content-Type:   application/json',
    'Content-Type:\tapplication/json',
    'Content-Type: application/json\t',
    'content-type:application/json \t;\tcharset=utf-8',
  ])('may have white space where HTTP allows it, and the body is validated: %j', async (line) => {
    expect((await createRaw([line])).status).toBe(201);
    expectError(await createRaw([line], '{"regulation":"x"}'), 400);
  });

  it.each([
    'Content-Type: application/ json',
    'Content-Type: application/json\ta',
    'Content-Type: \u00a0application/json',
    'Content-Type: application/json; charset=utf-8\u00a0',
    'Content-Type: application/json\u000b',
  ])('may not have it anywhere else: %j', async (line) => {
    const answer = await createRaw([line]);
    expect([400, 415]).toContain(answer.status);
    expectError(answer, answer.status);
  });

  it.each(['gzip', 'deflate', 'br', 'identity', 'gzip, gzip', ''])(
    'may not come with Content-Encoding: %s',
    async (encoding) => {
      expectUnsupported(
        await createRaw(['Content-Type: application/json', `Content-Encoding: ${encoding}`]),
      );
    },
  );
});

describe('an empty body', () => {
  it('is refused as JSON', async () => {
    const answer = await createRaw(['Content-Type: application/json'], '');
    expect(expectError(answer, 400)).toContain('empty');
  });
});
