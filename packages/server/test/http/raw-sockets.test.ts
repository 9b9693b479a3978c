import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { exchange, type RawAnswer, rawRequest, send } from '../helpers/http/raw-socket.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: TestController;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service);
});
afterAll(() => service.close());

const host = 'Host: localhost';
const close = 'Connection: close';
const bearer = () => `Authorization: Bearer ${acme.token}`;

function get(target: string, headers: readonly string[] = [host, close, bearer()]) {
  return send(service.url, rawRequest(`GET ${target} HTTP/1.1`, headers));
}

function only(answers: readonly RawAnswer[]): RawAnswer {
  expect(answers).toHaveLength(1);
  return answers[0] ?? expect.fail();
}

describe('a request line', () => {
  it('may hold the whole address', async () => {
    for (const origin of ['http://localhost', 'HTTPS://other.example:1']) {
      expect(only(await get(`${origin}/discovery`)).status).toBe(200);
      expect(only(await get(`${origin}/v2/discovery/?x=1`)).status).toBe(200);
      expectError(only(await get(`${origin}/discovery`, [host, close])), 401);
      expectError(only(await get(`${origin}/nowhere`)), 404);
      expectError(only(await get(origin)), 404);
      const post = rawRequest(`POST ${origin}/discovery HTTP/1.1`, [host, close]);
      expectError(only(await send(service.url, post)), 405);
    }
  });

  it.each(['*', 'discovery', 'ftp://localhost/discovery', '?', '/discovery#x/../y', '\\discovery'])(
    'a request with the odd target %s gets the error shape or is closed',
    async (target) => {
      for (const answer of await get(target)) {
        expect(answer.status).toBeLessThan(500);
        if (answer.status !== 200) expectError(answer, answer.status);
      }
    },
  );

  it.each(['/%', '/%zz', '/requests/%', '/requests/%c3%28', '/requests/%u0041', '/%00', '/%2e%2e'])(
    'a request with the bad or odd percent escape %s is 404',
    async (target) => {
      expectError(only(await get(target)), 404);
    },
  );

  it('a request with a target of 15 KB is 404', async () => {
    expectError(only(await get(`/requests/${'x'.repeat(15_000)}`)), 404);
  });

  it.each(['get /discovery HTTP/1.1', 'FOO / HTTP/1.1', 'nonsense'])(
    'a request line that HTTP does not know is 400: %s',
    async (line) => {
      const answer = only(await send(service.url, rawRequest(line, [host, bearer()])));
      expectError(answer, 400);
      expect(answer.headers.get('connection')).toBe('close');
    },
  );

  it.each(['HTTP/1.2', 'HTTP/9.9', 'HTTP/1', 'HTTP/', 'ICE/1.0', ''])(
    'a request with the version %j is 400',
    async (version) => {
      const line = `GET /discovery ${version}`;
      const answers = await send(service.url, rawRequest(line, [host, bearer(), close]));
      expectError(only(answers), 400);
    },
  );

  it('a request in HTTP/1.0 works, with and without Host', async () => {
    for (const headers of [[bearer()], [host, bearer()]]) {
      const answers = await send(service.url, rawRequest('GET /discovery HTTP/1.0', headers));
      expect(only(answers).status).toBe(200);
    }
    expectError(only(await send(service.url, 'GET /discovery HTTP/1.0\r\n\r\n')), 401);
  });

  it('TRACE is 405, and repeats nothing of the request', async () => {
    const request = rawRequest('TRACE /discovery HTTP/1.1', [host, close, bearer()]);
    const received = await exchange(service.url, request);
    expect(received).not.toContain(acme.token);
    const answer = only(await send(service.url, request));
    expectError(answer, 405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });

  it('CONNECT opens no tunnel', async () => {
    for (const target of ['localhost:80', '/discovery']) {
      const received = await exchange(
        service.url,
        rawRequest(`CONNECT ${target} HTTP/1.1`, [host, bearer()]),
      );
      expect(received).not.toContain('HTTP/1.1 2');
    }
  });

  it('an upgrade to another protocol is answered in this one or closed', async () => {
    for (const protocol of ['websocket', 'h2c']) {
      const answers = await get('/discovery', [
        host,
        bearer(),
        'Connection: Upgrade, close',
        `Upgrade: ${protocol}`,
      ]);
      expect(only(answers).status).toBe(200);
    }
  });

  it('the HTTP/2 preface is 400 or closed', async () => {
    const answers = await send(service.url, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    for (const answer of answers) expectError(answer, 400);
  });

  it('a TLS handshake is 400 or closed', async () => {
    const answers = await send(service.url, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03');
    for (const answer of answers) expectError(answer, 400);
  });
});

describe('the headers of a request', () => {
  it('must have exactly one Host', async () => {
    const message = 'Send exactly one Host header';
    expect(expectError(only(await get('/discovery', [close, bearer()])), 400)).toBe(message);
    const two = [host, 'hOST: other.example', close, bearer()];
    expect(expectError(only(await get('/discovery', two)), 400)).toBe(message);
    expect(expectError(only(await get('/nowhere', two)), 400)).toBe(message);
  });

  it('must not have two Authorization headers, in whichever order', async () => {
    const wrong = 'authorization: Bearer x';
    for (const two of [
      [bearer(), wrong],
      [wrong, bearer()],
      [bearer(), bearer()],
    ]) {
      expectError(only(await get('/discovery', [host, close, ...two])), 401);
    }
  });

  it('must not hide a second Authorization behind thousands of others', async () => {
    const many = Array.from({ length: 2500 }, () => 'a:');
    const headers = [host, close, bearer(), ...many];
    expect(only(await get('/discovery', headers)).status).toBe(200);
    expectError(only(await get('/discovery', [...headers, 'Authorization: Bearer x'])), 401);
    expectError(only(await get('/discovery', [...headers, 'Host: other.example'])), 400);
  });

  it('must not be larger than 16 KiB together', async () => {
    const message = 'The headers are too large: at most 16 KiB together';
    const one = only(await get('/discovery', [host, bearer(), `X: ${'x'.repeat(20_000)}`]));
    expect(expectError(one, 431)).toBe(message);
    const many = Array.from({ length: 400 }, (_, i) => `X-${i}: ${'x'.repeat(50)}`);
    expect(expectError(only(await get('/discovery', [host, bearer(), ...many])), 431)).toBe(
      message,
    );
    expect(expectError(only(await get(`/${'x'.repeat(20_000)}`)), 431)).toBe(message);
  });

  it.each([
    ['a space before the colon', ['Host : localhost']],
    ['a space before the name', [' Host: localhost']],
    ['a folded value', [host, 'X: a', ' b']],
    ['no colon', [host, 'nonsense']],
    ['no name', [host, ': x']],
    ['a space inside the name', [host, 'X Y: z']],
    ['a NUL in a value', [host, 'X: a\0b']],
    ['a carriage return in a value', [host, 'X: a\rb']],
    ['an invalid Content-Length', [host, 'Content-Length: x']],
    ['a negative Content-Length', [host, 'Content-Length: -1']],
    ['a signed Content-Length', [host, 'Content-Length: +1']],
    ['a hexadecimal Content-Length', [host, 'Content-Length: 0x1']],
  ])('must not have %s', async (_, lines) => {
    expectError(only(await get('/discovery', [...lines, close, bearer()])), 400);
  });

  it('may expect 100-continue and nothing else', async () => {
    const expectation = (value: string) => [host, close, bearer(), `Expect: ${value}`];
    expectError(only(await get('/discovery', expectation('something'))), 417);
    const answers = await get(`/requests/${randomUUID()}`, expectation('100-continue'));
    expect(answers.map(({ status }) => status)).toEqual([100, 404]);
  });

  it('are never repeated by the answer to a broken request', async () => {
    for (const lines of [['Bad Header: jane@example.com'], [`X: jane@${'x'.repeat(20_000)}`]]) {
      const received = await exchange(
        service.url,
        rawRequest('GET /jane HTTP/1.1', [host, bearer(), ...lines]),
      );
      expect(received).toMatch(/^HTTP\/1\.1 4/);
      expect(received).not.toMatch(/jane|Bearer/);
    }
  });
});
