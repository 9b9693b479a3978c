import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../helpers/free-port.ts';
import { call } from '../../helpers/http/api.ts';
import { startService, type TestService } from '../../helpers/servers/service.ts';

let service: TestService;
afterEach(() => service.close());

const landing = () => call(service.url, { headers: { accept: 'text/html' } });

describe('the page at /', () => {
  it('leads to the console and to the API documentation', async () => {
    service = await startService();
    const { status, text } = await landing();
    expect(status).toBe(200);
    expect(text).toContain('href="/console"');
    expect(text).toContain('href="/docs"');
  });

  it('says nothing of a console that is on a port of its own', async () => {
    service = await startService({ operatorPort: String(await freePort()) });
    expect((await landing()).text).not.toContain('/console');
    expect((await call(`${service.url}/console`)).status).toBe(404);
  });
});
