import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../helpers/http/api.ts';
import { expectError } from '../../helpers/http/error-shape.ts';
import { startService, type TestService } from '../../helpers/servers/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('/docs', () => {
  it('loads only its own assets, and does not ask a server without TLS for https', async () => {
    const { status, headers, text } = await call(`${service.url}/docs/`);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).not.toMatch(/upgrade-insecure|https:/);
    expect(text).not.toMatch(/(src|href)="https?:/);
  });

  it('answers all that its page asks for', async () => {
    const { text } = await call(`${service.url}/docs/`);
    const paths = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThan(4);
    for (const path of [...paths, './json', './yaml']) {
      const url = new URL(String(path), `${service.url}/docs/`);
      const { status, headers } = await call(url.href);
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get('content-security-policy')).toBeTruthy();
    }
  });

  it.each(['x', 'x.js', '', '..%2findex.js', 'csp.json/', '%', 'theme/x.css'])(
    'answers /docs/static/%s in the error shape, without the path',
    async (name) => {
      for (const method of ['GET', 'HEAD']) {
        const answer = await call(`${service.url}/docs/static/${name}`, { method });
        expect(answer.status).toBe(404);
        if (method === 'GET') expect(expectError(answer, 404)).not.toContain('static');
      }
    },
  );

  it.each([{ range: 'bytes=5-1' }, { range: 'bytes=999999999-' }, { 'if-match': '"x"' }])(
    'answers the odd headers %j with the file or in the error shape',
    async (headers) => {
      const answer = await call(`${service.url}/docs/static/swagger-ui.css`, { headers });
      if (answer.status >= 400) expectError(answer, answer.status);
    },
  );
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
