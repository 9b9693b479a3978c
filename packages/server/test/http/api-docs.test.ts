import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../helpers/http/api.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('/docs', () => {
  it('uses its own assets alone, and asks for no https that a plain address does not have', async () => {
    const { status, headers, text } = await call(`${service.url}/docs/`);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).not.toMatch(/upgrade-insecure|https:/);
    expect(text).not.toMatch(/(src|href)="https?:/);
  });
});

describe('/openapi.json', () => {
  it('describes every endpoint in 3.1, with what it answers', async () => {
    const { body } = await call(`${service.url}/openapi.json`);
    expect(body.openapi).toMatch(/^3\.1\./);
    expect(Object.keys(body.paths['/requests/{subject_request_id}'])).toEqual(['get', 'delete']);
    const created = body.paths['/requests'].post.responses['201'];
    expect(created.headers).toHaveProperty('X-OpenDSR-Processor-Domain');
    expect(created.content['application/json'].schema.required).toContain('encoded_request');
  });
});
