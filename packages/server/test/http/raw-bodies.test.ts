import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRequests } from '../helpers/databases/database.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError, expectErrorShape } from '../helpers/http/error-shape.ts';
import { type RawAnswer, rawRequest, send } from '../helpers/http/raw-socket.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: TestController;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service);
});
afterAll(() => service.close());

const newBody = () => JSON.stringify(requestBody());
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const lengthOf = (body: string) => `Content-Length: ${body.length}`;
const CHUNKED = 'Transfer-Encoding: chunked';

function head(lines: readonly string[], version = 'HTTP/1.1'): string {
  return rawRequest(`POST /requests ${version}`, [
    'Host: localhost',
    `Authorization: Bearer ${acme.token}`,
    'Content-Type: application/json',
    ...lines,
  ]);
}

/** Refused with 4xx in the error shape or closed, and nothing is stored. */
async function expectRefused(attempt: () => Promise<RawAnswer[]>): Promise<void> {
  const before = countRequests(service);
  for (const answer of await attempt()) {
    expect(answer.status).toBeLessThan(500);
    expectErrorShape(answer);
  }
  // The writer works in order: whatever it had accepted before is stored before this one.
  await acme.created();
  expect(countRequests(service)).toBe(before + 1);
}

describe('the length of a body', () => {
  it.each([
    ['Content-Length and Transfer-Encoding', (body: string) => [lengthOf(body), CHUNKED]],
    ['Transfer-Encoding and Content-Length', (body: string) => [CHUNKED, lengthOf(body)]],
    ['two different Content-Lengths', (body: string) => [lengthOf(body), 'Content-Length: 5']],
    ['the same Content-Length twice', (body: string) => [lengthOf(body), lengthOf(body)]],
    ['a list of lengths', (body: string) => [`${lengthOf(body)}, ${body.length}`]],
    ['an unknown Transfer-Encoding', () => ['Transfer-Encoding: gzip']],
    ['chunked before another encoding', () => ['Transfer-Encoding: chunked, gzip']],
    ['chunked twice', () => [CHUNKED, CHUNKED]],
    ['a disguised chunked', () => ['Transfer-Encoding: xchunked']],
    ['a Transfer-Encoding with a space before its colon', () => ['Transfer-Encoding : chunked']],
  ])('must not be said by %s', async (_, lines) => {
    const body = newBody();
    for (const payload of [body, `${chunk(body)}0\r\n\r\n`]) {
      await expectRefused(() => send(service.url, `${head(lines(body))}${payload}`));
    }
  });

  it('is zero in a request without one: what follows is not its body', async () => {
    await expectRefused(() => send(service.url, `${head([])}${newBody()}`));
  });

  it('may be given in chunks, cut anywhere', async () => {
    const body = newBody();
    const chunks = body.match(/.{1,7}/g)?.map(chunk) ?? [];
    const request = [head([CHUNKED, 'Connection: close']), ...chunks, '0\r\n\r\n'];
    const [answer] = await send(service.url, request);
    expect(answer?.status).toBe(201);
    expect(JSON.parse(answer?.text ?? '').encoded_request).toBe(
      Buffer.from(body).toString('base64'),
    );
  });

  it('ends the body: what follows is another request', async () => {
    const body = newBody();
    const request = `${head([lengthOf(body)])}${body}${'x'.repeat(50)}`;
    const [created, refused] = await send(service.url, request);
    expect(created?.status).toBe(201);
    if (refused !== undefined) expectError(refused, 400);
  });
});

describe('a broken body', () => {
  it.each([
    ['a bad chunk size', 'zz\r\n'],
    ['a chunk longer than its size', '1\r\nxyz\r\n'],
    ['a chunk size beyond all numbers', `${'f'.repeat(20)}\r\n`],
    ['a negative chunk size', '-1\r\n'],
    ['a chunk size that ends with a bare LF', '1\nx\r\n0\r\n\r\n'],
    ['chunk extensions without end', `1;${'x'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`],
  ])('a body that breaks in the middle of chunks is refused: %s', async (_, broken) => {
    const request = `${head([CHUNKED])}${chunk(newBody())}${broken}`;
    await expectRefused(() => send(service.url, request, { halfClose: true }));
  });

  it('a body that ends before its length is refused', async () => {
    const body = newBody();
    const request = `${head([`Content-Length: ${body.length + 1}`])}${body}`;
    await expectRefused(() => send(service.url, request, { halfClose: true }));
  });

  it('a body that ends before its last chunk is refused, even if the JSON is complete', async () => {
    const request = `${head([CHUNKED])}${chunk(newBody())}`;
    await expectRefused(() => send(service.url, request, { halfClose: true }));
  });

  it('a body after bare line feeds in the head is refused', async () => {
    const body = newBody();
    const request = head([lengthOf(body)]).replaceAll('\r\n', '\n');
    await expectRefused(() => send(service.url, `${request}${body}`));
  });
});

describe('requests on one connection', () => {
  it('are answered in order when they are sent at once', async () => {
    const bodies = [newBody(), '{"regulation":', newBody()];
    const last = bodies.length - 1;
    const [created, ...others] = await send(
      service.url,
      bodies
        .map(
          (body, i) => head([lengthOf(body), ...(i === last ? ['Connection: close'] : [])]) + body,
        )
        .join(''),
    );
    expect(created?.status).toBe(201);
    expect(JSON.parse(created?.text ?? '').encoded_request).toBe(
      Buffer.from(bodies[0] ?? '').toString('base64'),
    );
    expectError(others[0] ?? expect.fail(), 400);
  });

  it('are each answered for themselves: a broken one does not speak for the one before', async () => {
    for (let round = 0; round < 20; round++) {
      const body = newBody();
      const whole = `${head([lengthOf(body)])}${body}`;
      const [first] = await send(service.url, [whole, 'BROKEN\r\n\r\n']);
      expect(first?.status).toBe(201);
    }
  });

  it('do not leak a token from one to the next', async () => {
    const anonymous = rawRequest('GET /discovery HTTP/1.1', ['Host: x', 'Connection: close']);
    const authorised = rawRequest('GET /discovery HTTP/1.1', [
      'Host: x',
      `Authorization: Bearer ${acme.token}`,
    ]);
    const [first, second] = await send(service.url, `${authorised}${anonymous}`);
    expect(first?.status).toBe(200);
    expectError(second ?? expect.fail(), 401);
  });

  it('a request in HTTP/1.0 may have a body with a length, validated like any other', async () => {
    const body = newBody();
    const [created] = await send(service.url, `${head([lengthOf(body)], 'HTTP/1.0')}${body}`);
    expect(created?.status).toBe(201);
    const [refused] = await send(service.url, `${head(['Content-Length: 2'], 'HTTP/1.0')}{}`);
    expectError(refused ?? expect.fail(), 400);
  });
});
