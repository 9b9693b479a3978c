import { afterEach, describe, expect, it } from 'vitest';
import { makeController } from '../../helpers/http/controller.ts';
import { expectError } from '../../helpers/http/error-shape.ts';
import {
  type HeldConnection,
  holdOpen,
  rawRequest,
  readAnswers,
} from '../../helpers/http/raw-socket.ts';
import { requestBody } from '../../helpers/http/request-body.ts';
import { postToken } from '../../helpers/http/token-request.ts';
import { startService, type TestService } from '../../helpers/servers/service.ts';
import { until } from '../../helpers/until.ts';

let service: TestService;
afterEach(() => service.close());

describe('requests that are not answered yet', () => {
  it.each([
    ['declared', 'Content-Length: 200000', ''],
    ['sent', 'Transfer-Encoding: chunked', `30d40\r\n${'x'.repeat(200_000)}\r\n`],
  ])(
    'take a limited amount of memory, as %s: beyond it the answer is 503',
    async (_, size, piece) => {
      service = await startService({ limitsWaiting: '1MiB' });
      const acme = await makeController(service);
      // A token that is known: what such a caller declares is reserved.
      await acme.discovery();
      const head = rawRequest('POST /requests HTTP/1.1', [
        'Host: x',
        `Authorization: Bearer ${acme.token}`,
        'Content-Type: application/json',
        size,
      ]);
      const held = await holdOpen(service.url, [head, piece]);
      // Two whole calls later it has arrived.
      for (let n = 0; n < 2; n++) await acme.discovery();
      const large = { ...requestBody(), padding: 'x'.repeat(80_000) };
      const refused = await acme.create(large);
      expect(expectError(refused, 503)).toMatch(/send the same request again/);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect((await acme.create(requestBody())).status).toBe(201);
      const token = await postToken(service.url, 'json', { x: 'x'.repeat(100_000) });
      expect(expectError(token, 503)).toBeTruthy();

      held.socket.destroy();
      const fits = { ...requestBody(), padding: 'x'.repeat(200_000) };
      await until(
        async () => (await acme.create(fits)).status === 201,
        () => 'there is no room again',
      );
    },
  );

  it('count until they are answered, whichever way they took', async () => {
    service = await startService({ limitsWaiting: '1MiB' });
    const acme = await makeController(service);
    const big = () => ({ ...requestBody(), padding: 'x'.repeat(200_000) });
    for (let n = 0; n < 10; n++) {
      expect((await acme.create(big())).status).toBe(201);
      const chunked = await holdOpen(service.url, [
        rawRequest('POST /v2/requests/ HTTP/1.1', [
          'Host: x',
          `Authorization: Bearer ${acme.token}`,
          'Content-Type: application/json',
          'Transfer-Encoding: chunked',
        ]),
      ]);
      const body = JSON.stringify(big());
      await chunked.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
      const [answer] = readAnswers(await chunked.received(/processor_signature/));
      expect(answer?.status).toBe(201);
      chunked.socket.destroy();
      expect((await acme.status(requestBody().subject_request_id)).status).toBe(404);
    }
  });

  it.each([
    ['a controller', (token: string) => ['/requests', `Authorization: Bearer ${token}`]],
    ['whoever asks for tokens', () => ['/oauth/token', 'X-Nothing: x']],
  ])('of %s do not take the room of others', async (_, whose) => {
    service = await startService({ limitsWaiting: '1MiB' });
    const mallory = await makeController(service, 'mallory');
    const acme = await makeController(service);
    await Promise.all([mallory.discovery(), acme.discovery()]);
    const [path, header = ''] = whose(mallory.token);
    // Of every size, until nothing more fits.
    const sizes = [200_000, 100_000, 50_000, 20_000, 10_000, 5000, 2000, 1000, 500, 200, 100, 10];
    const held: HeldConnection[] = [];
    for (const size of sizes) {
      const length = `Content-Length: ${size}`;
      const headers = ['Host: x', header, 'Content-Type: application/json', length];
      const text = rawRequest(`POST ${path} HTTP/1.1`, headers, 'x'.repeat(size - 1));
      for (let n = 0; n < 4; n++) held.push(await holdOpen(service.url, [text]));
      // It has arrived.
      await acme.discovery();
    }
    await acme.discovery();
    expect((await acme.create(requestBody())).status).toBe(201);
    expect((await acme.status(requestBody().subject_request_id)).status).toBe(404);
    for (const { socket } of held) socket.destroy();
  });
});
