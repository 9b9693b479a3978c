import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../helpers/free-port.ts';
import { call } from '../../helpers/http/api.ts';
import { startService, type TestService } from '../../helpers/servers/service.ts';

let service: TestService;
afterEach(() => service.close());

/** Of /docs: it puts the ways to other pages in. */
const docsScript = () => call(`${service.url}/docs/static/theme/unwrite.js`);
const landing = () => call(service.url, { headers: { accept: 'text/html' } });

describe('the pages at / and /docs', () => {
  it('lead to the console and to the API documentation', async () => {
    service = await startService();
    const { status, text } = await landing();
    expect(status).toBe(200);
    expect(text).toContain('href="/console"');
    expect(text).toContain('href="/docs"');
    expect((await docsScript()).text).toContain('"/console"');
  });

  it('say nothing of a console that is on a port of its own', async () => {
    service = await startService({ operatorPort: String(await freePort()) });
    expect((await landing()).text).not.toContain('/console');
    expect((await docsScript()).text).not.toContain('/console');
    expect((await call(`${service.url}/console`)).status).toBe(404);
  });
});
