import { afterEach, describe, expect, it } from 'vitest';
import { holdOpen, rawRequest } from '../../helpers/http/raw-socket.ts';
import { startService, type TestService } from '../../helpers/servers/service.ts';

let service: TestService;
afterEach(() => service.close());

const get = (path: string) => rawRequest(`GET ${path} HTTP/1.1`, ['Host: localhost']);

describe('an answer that is not read', () => {
  it('ends its connection, and no other', async () => {
    service = await startService({ limitsAnswerTimeout: '1s' });
    const large = get('/docs/static/swagger-ui-bundle.js').repeat(20);
    const reader = await holdOpen(service.url, []);
    const other = await holdOpen(service.url, [large], { isReading: false });
    // It does not read, so it is told only when it writes.
    const writing = setInterval(() => other.socket.write('x'), 50);
    await other.closed;
    clearInterval(writing);
    await reader.write(get('/health/live'));
    expect(await reader.received(/live"}/)).toContain('200 OK');
    reader.socket.destroy();
  });
});
