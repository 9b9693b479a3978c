import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRequests, withDatabase } from '../helpers/databases/database.ts';
import { postJson } from '../helpers/http/api.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { identity, requestBody } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

const THIRTY_DAYS_MS = 30 * 24 * 60 * 60 * 1000;
const UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let service: TestService;
let acme: TestController;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service);
});
afterAll(() => service.close());

describe('creating a request', () => {
  it('answers 201 with exactly the fields of the contract', async () => {
    const body = requestBody();
    const answer = await acme.create(body);
    expect(answer.status).toBe(201);
    expect(answer.body).toStrictEqual({
      controller_id: 'acme',
      expected_completion_time: expect.stringMatching(UTC),
      received_time: expect.stringMatching(UTC),
      encoded_request: expect.any(String),
      subject_request_id: body.subject_request_id,
      processor_signature: 'not-yet-implemented',
    });
  });

  it.each(['/requests', '/v2/requests/'])(
    'refuses at %s what it has forwarded itself, and takes what others have',
    async (path) => {
      const via = (...domains: string[]) =>
        requestBody({ extensions: { unwrite: { via: domains } } });
      const { token } = acme;
      const own = service.config.domain;
      const back = await postJson(service.url + path, via('a.example', own), token);
      expect(back).toMatchObject({ status: 400, body: { error: { code: 400 } } });
      expect(back.body.error.message).toContain('it came back');
      expect(await postJson(service.url + path, via('a.example'), token)).toMatchObject({
        status: 201,
      });
    },
  );

  it('says when it was received, in UTC', async () => {
    const before = Date.now();
    const { body } = await acme.create(requestBody());
    const received = Date.parse(body.received_time);
    expect(received).toBeGreaterThanOrEqual(before);
    expect(received).toBeLessThanOrEqual(Date.now());
  });

  it('expects completion 30 times 24 hours after receipt, whenever it was submitted', async () => {
    for (const submitted_time of ['1999-12-31T23:59:59Z', '2099-01-31T00:00:00+14:00']) {
      const { body } = await acme.create(requestBody({ submitted_time }));
      const wait = Date.parse(body.expected_completion_time) - Date.parse(body.received_time);
      expect(wait).toBe(THIRTY_DAYS_MS);
    }
  });

  it('gives back the exact bytes of the body as padded base64', async () => {
    for (const padding of ['', ' ', '  ']) {
      const text = ` {\n\t"é":"😀\\u00e9\\/" ,${JSON.stringify(requestBody()).slice(1)}\r\n${padding}`;
      const { status, body } = await acme.create(text);
      expect(status).toBe(201);
      expect(body.encoded_request).toBe(Buffer.from(text).toString('base64'));
    }
  });

  it('gives back a body that arrives in many pieces byte for byte', async () => {
    const identities = Array.from({ length: 500 }, (_, i) => identity('email', `${i}@é.example`));
    const text = JSON.stringify(requestBody({ subject_identities: identities }));
    const pieces = text.match(/[\s\S]{1,997}/g) ?? [];
    const answer = await fetch(`${service.url}/requests`, {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.token}`, 'content-type': 'application/json' },
      body: ReadableStream.from(pieces.map((piece) => Buffer.from(piece))),
      duplex: 'half',
    });
    expect(answer.status).toBe(201);
    const { encoded_request } = (await answer.json()) as { encoded_request: string };
    expect(Buffer.from(encoded_request, 'base64').toString()).toBe(text);
  });

  it('echoes the id exactly as it was submitted, whatever its case', async () => {
    const id = randomUUID();
    for (const text of [id.toUpperCase(), id.replace(/[a-f]/, (letter) => letter.toUpperCase())]) {
      const other = await makeController(service, `case-${randomUUID().slice(0, 8)}`);
      const { body } = await other.create(requestBody({ subject_request_id: text }));
      expect(body.subject_request_id).toBe(text);
    }
  });

  it('takes the controller from the token and never from the body', async () => {
    const body = requestBody({ controller_id: 'globex' });
    expect((await acme.create(body)).body.controller_id).toBe('acme');
    expect((await acme.status(body.subject_request_id)).body.controller_id).toBe('acme');
  });

  it('gives the new request the status pending', async () => {
    const id = await acme.created();
    expect((await acme.status(id)).body.request_status).toBe('pending');
  });

  it('stores one row for each answered 201', async () => {
    const before = countRequests(service);
    await Promise.all(Array.from({ length: 25 }, () => acme.created()));
    expect(countRequests(service)).toBe(before + 25);
  });

  it('stores neither identities nor the encoded request in the clear', async () => {
    const secret = `${randomUUID()}@example.com`;
    const body = requestBody({ subject_identities: [identity('email', secret)] });
    const { encoded_request } = (await acme.create(body)).body;
    const stored = withDatabase(service, (database) => {
      const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
      const rows = tables.flatMap(({ name }) => database.prepare(`SELECT * FROM "${name}"`).all());
      return rows.flatMap((row) => Object.values(row).map(textOf)).join('\n');
    });
    expect(stored).toContain(body.subject_request_id);
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(encoded_request);
  });
});

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
}
