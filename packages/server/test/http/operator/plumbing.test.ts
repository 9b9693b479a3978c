// The operator API as seen by those who are not signed in, and where it answers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../helpers/free-port.ts';
import { call } from '../../helpers/http/api.ts';
import { expectError } from '../../helpers/http/error-shape.ts';
import { startService, type TestService } from '../../helpers/servers/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('the operator API', () => {
  it('answers 401 without a session or a token, in the error shape, and is not to be stored', async () => {
    const answer = await call(`${service.url}/operator/v1/session`);
    expectError(answer, 401);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body.error.message).toContain('/operator/sign-in');
  });

  it("does not open to a controller's token", async () => {
    const answer = await call(`${service.url}/operator/v1/session`, {
      token: await service.token(),
    });
    expectError(answer, 401);
  });

  it('has a document of its own, and is not in that of controllers', async () => {
    const own = await call(`${service.url}/operator/openapi.json`);
    expect(own.status).toBe(200);
    expect(Object.keys(own.body.paths)).toContain('/operator/v1/session');
    expect(Object.keys(own.body.paths)).not.toContain('/requests');
    const others = await call(`${service.url}/openapi.json`);
    expect(Object.keys(others.body.paths)).toContain('/requests');
    expect(others.text).not.toContain('/operator');
  });
});

describe('operator_port', () => {
  it('has the operator API to itself, and the main port knows nothing of it', async () => {
    const operatorPort = await freePort();
    const apart = await startService({ operatorPort });
    try {
      const own = `http://127.0.0.1:${operatorPort}`;
      expectError(await call(`${own}/operator/v1/session`), 401);
      expectError(await call(`${own}/discovery`), 404);
      const front = await fetch(`${own}/`, { redirect: 'manual' });
      expect([front.status, front.headers.get('location')]).toEqual([302, '/console']);
      expect((await call(`${own}/health/ready`)).status).toBe(200);
      const unknown = await call(`${apart.url}/nothing`);
      for (const path of ['/operator/v1/session', '/operator/openapi.json', '/console']) {
        const answer = await call(`${apart.url}${path}`);
        expectError(answer, 404);
        expect(answer.body).toEqual(unknown.body);
      }
    } finally {
      await apart.close();
    }
  });
});
