import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, postJson } from '../helpers/http/api.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startService();
  token = await service.token();
});
afterAll(() => service.close());

describe('a request', () => {
  it('is created, read and cancelled', async () => {
    const body = requestBody();
    const url = `${service.url}/requests/${body.subject_request_id}`;

    const created = await postJson(`${service.url}/requests`, body, token);
    expect(created.status).toBe(201);
    expect(created.body.subject_request_id).toBe(body.subject_request_id);

    const read = await call(url, { token });
    expect(read.body.request_status).toBe('pending');

    const cancelled = await call(url, { method: 'DELETE', token });
    expect(cancelled.status).toBe(202);
    expect((await call(url, { token })).body.request_status).toBe('cancelled');
  });
});
