import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRequests } from '../helpers/databases/database.ts';
import { call } from '../helpers/http/api.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: TestController;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service);
});
afterAll(() => service.close());

const TOO_LARGE = '{'.repeat(300_000);

interface Attempt {
  readonly token?: string;
  readonly type?: string;
  readonly method?: string;
  readonly path?: string;
}

function attempt(body: unknown, { token, type, method = 'POST', path = '/requests' }: Attempt) {
  return call(`${service.url}${path}`, {
    method,
    headers: type === undefined ? {} : { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(token !== undefined && { token }),
  });
}

describe('the checks of a request', () => {
  it('come in order: path, method, token, type, size, JSON, fields, uniqueness', async () => {
    const json = 'application/json';
    const { token } = acme;
    const id = await acme.created();
    const before = countRequests(service);
    const duplicateKey = `{"regulation":1,"regulation":1}`;

    // Each is wrong in every later way as well.
    expectError(await attempt(TOO_LARGE, { type: 'text/plain', path: '/nowhere' }), 404);
    expectError(await attempt(TOO_LARGE, { type: 'text/plain', method: 'PUT' }), 405);
    expectError(await attempt(TOO_LARGE, { type: 'text/plain' }), 401);
    expectError(await attempt(TOO_LARGE, { type: 'text/plain', token: 'wrong' }), 401);
    expectError(await attempt(TOO_LARGE, { type: 'text/plain', token }), 415);
    expectError(await attempt(TOO_LARGE, { type: json, token }), 413);
    expect(expectError(await attempt(duplicateKey, { type: json, token }), 400)).toContain('twice');
    const wrongField = requestBody({ subject_request_id: id, regulation: 'x' });
    expect(expectError(await attempt(wrongField, { type: json, token }), 400)).toContain(
      'regulation',
    );
    expectError(await attempt(requestBody({ subject_request_id: id }), { type: json, token }), 409);

    expect(countRequests(service)).toBe(before);
  });

  it('ask for a token before they look at the id in the path', async () => {
    const id = await acme.created();
    for (const text of [id, '0', '%00']) {
      const answer = await call(`${service.url}/requests/${text}`);
      expect(expectError(answer, 401)).toContain('bearer token');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expectError(await call(`${service.url}/requests/${text}`, { method: 'DELETE' }), 401);
    }
    expect((await acme.status(id)).body.request_status).toBe('pending');
  });

  it('look at the id before the state: no id, no request, not pending', async () => {
    const id = await acme.created();
    await acme.cancel(id);
    expectError(await acme.cancel('0'), 404);
    expectError(await acme.cancel(id), 400);
  });
});
