import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRequests } from '../helpers/databases/database.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { identity, requestBody } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: TestController;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service);
});
afterAll(() => service.close());

async function refusalOf(changes: Record<string, unknown>): Promise<string> {
  const body = requestBody(changes);
  const message = expectError(await acme.create(body), 400);
  const id = body.subject_request_id;
  if (typeof id === 'string') expectError(await acme.status(encodeURIComponent(id)), 404);
  return message;
}

async function statusOf(changes: Record<string, unknown>): Promise<number> {
  return (await acme.create(requestBody(changes))).status;
}

describe('the fields of a new request', () => {
  it.each(['gdpr', 'ccpa'])('may name the regulation %s', async (regulation) => {
    expect(await statusOf({ regulation })).toBe(201);
  });

  it('must name a supported regulation', async () => {
    expect(await refusalOf({ regulation: 'lgpd' })).toBe('regulation must be one of: gdpr, ccpa');
  });

  it('must ask for erasure: other types of the specification are refused', async () => {
    for (const type of ['access', 'portability']) {
      expect(await refusalOf({ subject_request_type: type })).toBe(
        'subject_request_type must be "erasure"',
      );
    }
  });

  it.each(['regulation', 'subject_request_id', 'subject_request_type', 'submitted_time'])(
    'must have %s',
    async (name) => {
      expect(await refusalOf({ [name]: undefined })).toBe(`${name} is missing`);
    },
  );

  it('must have an id that is a UUID version 4', async () => {
    for (const id of ['0', randomUUID().replaceAll('-', ''), `{${randomUUID()}}`, 'x'.repeat(36)]) {
      expect(await refusalOf({ subject_request_id: id })).toContain('subject_request_id must be');
    }
    const version7 = randomUUID().replace(/^(.{14})4/, '$17');
    expect(await refusalOf({ subject_request_id: version7 })).toContain('UUID version 4');
  });

  it.each([
    '2026-11-15T02:00:00.123456789012+05:30',
    '2026-11-15t02:00:00z',
    '2016-12-31T23:59:60Z',
    '2024-02-29T23:59:59-00:00',
  ])('may have the submitted_time %s', async (submitted_time) => {
    expect(await statusOf({ submitted_time })).toBe(201);
  });

  it.each([
    '2023-02-30T00:00:00Z',
    '2026-11-15',
    '2026-11-15T02:00:00',
    '2026-11-15T24:00:00Z',
    '2026-11-15T12:00:60Z',
    '2026-11-15 02:00:00Z',
    '2026-11-15T02:00:00.1234567890123Z',
    '1794708000',
  ])('may not have the submitted_time %s', async (submitted_time) => {
    expect(await refusalOf({ submitted_time })).toContain('submitted_time must be an RFC 3339');
  });

  it('may leave the identities out, as nothing, null or an empty array', async () => {
    for (const subject_identities of [undefined, null, []]) {
      const id = await acme.created({ subject_identities });
      expect((await acme.status(id)).body.request_status).toBe('pending');
    }
  });

  it('may have 500 identities and not 501', async () => {
    const identities = (count: number) =>
      Array.from({ length: count }, (_, i) => identity('controller_customer_id', `${i}`));
    expect(await statusOf({ subject_identities: identities(500) })).toBe(201);
    expect(await refusalOf({ subject_identities: identities(501) })).toBe(
      'subject_identities must have at most 500 items',
    );
  });

  it('may have values of 1,024 code points and not 1,025, astral ones too', async () => {
    for (const character of ['x', '😀']) {
      const value = (length: number) => [identity('email', character.repeat(length))];
      expect(await statusOf({ subject_identities: value(1024) })).toBe(201);
      expect(await refusalOf({ subject_identities: value(1025) })).toContain('at most 1024');
    }
  });

  it.each(['%', "'; DROP TABLE requests; --", '12abc', 'no address', 'Jose\u0301', '\u212aelly'])(
    'may have %j as an identity: it is opaque',
    async (value) => {
      const subject_identities = [identity('email', value), identity('email', value)];
      expect(await statusOf({ subject_identities })).toBe(201);
    },
  );

  it.each(['', ' ', 'jane ', '\u00a0jane', 'ja\u0007ne', 'ja\u0085ne'])(
    'may not have %j as an identity',
    async (value) => {
      const message = await refusalOf({ subject_identities: [identity('email', value)] });
      expect(message).toMatch(/^subject_identities\[0\]\.identity_value must/);
    },
  );

  it('must have identities of a supported type and in the format raw', async () => {
    const hashed = { ...identity('ios_advertising_id', 'x'), identity_format: 'sha256' };
    expect(await refusalOf({ subject_identities: [hashed] })).toBe(
      'subject_identities[0].identity_type must be one of: email, controller_customer_id; subject_identities[0].identity_format must be "raw"',
    );
  });

  it('may have the api_version 2.0 or null, and any other is answered with 2.0', async () => {
    expect(await statusOf({ api_version: '2.0' })).toBe(201);
    expect(await statusOf({ api_version: null })).toBe(201);
    for (const version of ['1.0', '3.0', '2', 2, '']) {
      expect(await refusalOf({ api_version: version })).toBe('api_version must be "2.0"');
    }
  });

  it('may have any array as status_callback_urls and nothing else', async () => {
    for (const urls of [[], [7, null, 'ftp://x'], null]) {
      expect(await statusOf({ status_callback_urls: urls })).toBe(201);
    }
    expect(await refusalOf({ status_callback_urls: 'https://example.com' })).toBe(
      'status_callback_urls must be an array',
    );
  });

  it('status_callback_urls are never called', async () => {
    let calls = 0;
    const listener = createServer((_, response) => {
      calls++;
      response.end();
    }).on('connection', () => calls++);
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as AddressInfo;
    const id = await acme.created({ status_callback_urls: [`http://127.0.0.1:${port}/callback`] });
    expect((await acme.cancel(id)).status).toBe(202);
    expect((await acme.status(id)).body.request_status).toBe('cancelled');
    await new Promise((resolve) => listener.close(resolve));
    expect(calls).toBe(0);
  });

  it('may include unknown ones, which live on only in encoded_request', async () => {
    const body = requestBody({ extensions: { 'example.com': { id: [1] } }, toString: 'x' });
    const answer = await acme.create(body);
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body)).not.toContain('extensions');
    const sent = JSON.parse(Buffer.from(answer.body.encoded_request, 'base64').toString());
    expect(sent.extensions).toEqual({ 'example.com': { id: [1] } });
  });

  it('are all named in one message when several are wrong', async () => {
    const before = countRequests(service);
    const answer = await acme.create({
      regulation: 'x',
      subject_request_id: randomUUID(),
      submitted_time: 'y',
      api_version: '1.0',
      subject_identities: [identity('email', 'ok'), identity('phone', '')],
    });
    expect(expectError(answer, 400).split('; ')).toEqual([
      'regulation must be one of: gdpr, ccpa',
      'subject_request_type is missing',
      'submitted_time must be an RFC 3339 timestamp with an offset or Z, such as 2026-11-15T02:00:00Z',
      'api_version must be "2.0"',
      'subject_identities[1].identity_type must be one of: email, controller_customer_id',
      'subject_identities[1].identity_value must not be empty',
    ]);
    expect(countRequests(service)).toBe(before);
  });

  it('are never repeated in the message', async () => {
    const secret = 'jane@example.com';
    const answer = await acme.create({
      regulation: secret,
      subject_request_id: secret,
      subject_request_type: secret,
      submitted_time: secret,
      api_version: secret,
      status_callback_urls: secret,
      subject_identities: [secret, { [secret]: secret }, identity(secret, ` ${secret}`)],
      [secret]: secret,
    });
    expectError(answer, 400);
    expect(answer.text).not.toMatch(/jane|example\.com/);
  });
});
