import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../helpers/http/api.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: TestController;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service);
});
afterAll(() => service.close());

describe('discovery', () => {
  it('answers exactly version, identities and request types', async () => {
    const answer = await acme.discovery();
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      api_version: '2.0',
      supported_identities: [
        { identity_type: 'email', identity_format: 'raw' },
        { identity_type: 'controller_customer_id', identity_format: 'raw' },
      ],
      supported_subject_request_types: ['erasure'],
    });
  });

  it('names no certificate while none is configured', async () => {
    expect((await acme.discovery()).body).not.toHaveProperty('processor_certificate');
    expectError(await call(`${service.url}/certificate.pem`), 404);
  });

  it('is refused without a token', async () => {
    expectError(await call(`${service.url}/discovery`), 401);
  });

  it('gives every controller the same answer', async () => {
    const globex = await makeController(service, 'globex');
    expect((await globex.discovery()).text).toBe((await acme.discovery()).text);
  });
});
