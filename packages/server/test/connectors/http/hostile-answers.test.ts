import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpConnector } from '../../../src/connectors/http/create-http-connector.ts';
import type { HttpTargetConfig } from '../../../src/domain/target/target.ts';
import { subjectOf } from '../../helpers/subject.ts';
import { type EndpointServer, type Handler, httpTarget, startEndpoint } from './endpoint-server.ts';

const EMAIL = 'anna@example.com';
const anna = subjectOf(1, [['email', EMAIL]]);
const JSON_TYPE = { 'content-type': 'application/json' };

let server: EndpointServer | undefined;
afterEach(() => server?.close());

async function failureOf(handle: Handler, changes: Partial<HttpTargetConfig> = {}) {
  server = await startEndpoint((call, response) => {
    handle(call, response);
    return undefined;
  });
  const connector = createHttpConnector(httpTarget(server.url, changes), {
    pause: async () => undefined,
  });
  const error: unknown = await connector.preview([anna]).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'TargetDown' });
  return error as Error & { code: string };
}

describe('an answer that cannot be used', () => {
  it.each([
    ['no JSON', '<html>anna@example.com</html>'],
    ['half of it', '{"subjects":['],
    ['nothing', ''],
    ['a list', '[]'],
    ['no subjects', '{"ok":true}'],
    ['subjects without a ref', '{"subjects":[{"found":{}}]}'],
    ['a number for a ref', '{"subjects":[{"ref":1,"found":{}}]}'],
    ['deep nesting', '['.repeat(500_000)],
    ['a key twice', '{"subjects":[{"ref":"1","found":{},"found":{"orders":1}}]}'],
  ])('is refused: %s', async (_, body) => {
    const error = await failureOf((_call, response) =>
      response.writeHead(200, JSON_TYPE).end(body),
    );

    expect(error.code).toBe('bad_answer');
    expect(error.message).not.toContain('anna');
  });

  it('is refused when it is not called JSON', async () => {
    const error = await failureOf((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('{"subjects":[]}'),
    );

    expect(error.code).toBe('bad_answer');
  });

  it('is refused unread when it is compressed: a small answer could unfold without end', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    const error = await failureOf((_, response) =>
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(bomb),
    );

    expect(error.code).toBe('bad_answer');
    expect(error.message).toContain('with a Content-Encoding');
  });

  it('is cut off when it does not end', async () => {
    let sent = 0;
    const error = await failureOf((_, response) => {
      response.writeHead(200, JSON_TYPE);
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    });

    expect(error.code).toBe('answer_too_large');
    expect(sent).toBeLessThan(30_000_000);
  });

  it('is given up when the headers, or the rest of the body, do not come in time', async () => {
    const silent = await failureOf(() => undefined, { timeout: 100 });
    expect(silent.code).toBe('timeout');
    await server?.close();

    const slow = await failureOf(
      (_, response) => response.writeHead(200, JSON_TYPE).write('{"subjects":['),
      { timeout: 100 },
    );
    expect(slow.code).toBe('timeout');
  });

  it('is given up when bytes trickle in for longer than the timeout', async () => {
    const error = await failureOf(
      (_, response) => {
        response.writeHead(200, JSON_TYPE);
        const timer = setInterval(() => response.write(' '), 10);
        response.on('close', () => clearInterval(timer));
      },
      { timeout: 150 },
    );

    expect(error.code).toBe('timeout');
  });

  it('counts as missing if the connection breaks', async () => {
    const error = await failureOf((_, response) => response.destroy());

    expect(error.code).toBe('unreachable');
  });

  it('counts as missing if it is not HTTP', async () => {
    const error = await failureOf((_, response) =>
      response.socket?.end(`${EMAIL} SSH-2.0\r\n\r\n`),
    );

    expect(error.code).toBe('bad_answer');
    expect(error.message).not.toContain(EMAIL);
  });
});

describe('a status that is not 200', () => {
  it.each([
    [301, 'redirected'],
    [307, 'redirected'],
    [400, 'http_400'],
    [401, 'auth_refused'],
    [403, 'auth_refused'],
    [404, 'http_404'],
    [422, 'http_422'],
    [204, 'http_204'],
    [500, 'http_500'],
  ])('%i is reported as %s, at once', async (status, code) => {
    const error = await failureOf((_, response) =>
      response.writeHead(status, { location: '/elsewhere' }).end(),
    );

    expect(error.code).toBe(code);
    expect(server?.calls).toHaveLength(1);
  });

  it('no text of the answer is passed on', async () => {
    const error = await failureOf((_, response) => {
      response.statusMessage = `Cannot find ${EMAIL}`;
      response
        .writeHead(500, { 'x-detail': EMAIL, ...JSON_TYPE })
        .end(JSON.stringify(`no ${EMAIL}`));
    });

    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(EMAIL);
    expect(error.cause).toBeUndefined();
  });
});

describe('names and numbers of an endpoint', () => {
  const NAMES = ['toString', 'constructor', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'];

  async function previewOf(found: object, more: object = {}) {
    server = await startEndpoint(() => ({ subjects: [{ ref: '1', found, ...more }] }));
    return await createHttpConnector(httpTarget(server.url)).preview([anna]);
  }

  it.each(NAMES)('are taken as they are: a table may be called %s', async (name) => {
    const [preview] = await previewOf({ [name]: 3 });

    expect(preview).toEqual({
      outcome: 'found',
      counts: { [name]: 3 },
      retained: {},
      keys: {},
      sharedWith: [],
    });
    expect(preview?.outcome === 'found' && preview.retained[name]).toBeUndefined();
  });

  it('must not be __proto__, which does not start with a letter', async () => {
    expect(await previewOf(JSON.parse('{"__proto__":3}'))).toMatchObject([{ code: 'bad_answer' }]);
  });

  it('must not add up to more than can be added exactly', async () => {
    const found = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`t${n}`, Number.MAX_SAFE_INTEGER]),
    );
    expect(await previewOf(found)).toMatchObject([{ outcome: 'failed', code: 'bad_answer' }]);
    expect(await previewOf({ a: 1e12, b: 1 })).toMatchObject([{ code: 'bad_answer' }]);
  });

  it.each([{ found: { orders: 3 } }, { retained: { invoices: 1 } }, { found: 'three' }])(
    'do not go with "unmatched": %j',
    async (more) => {
      const both = { unmatched: true, ...more };
      expect(await previewOf({}, both)).toMatchObject([{ outcome: 'failed', code: 'bad_answer' }]);
    },
  );

  it('may be none where nothing matches', async () => {
    expect(await previewOf({ orders: 0 }, { unmatched: true })).toEqual([{ outcome: 'unmatched' }]);
  });
});
