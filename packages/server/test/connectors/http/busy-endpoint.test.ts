import { afterEach, describe, expect, it } from 'vitest';
import { createHttpConnector } from '../../../src/connectors/http/create-http-connector.ts';
import type { HttpTargetConfig } from '../../../src/domain/target/target.ts';
import { subjectOf } from '../../helpers/subject.ts';
import { type EndpointServer, type Handler, httpTarget, startEndpoint } from './endpoint-server.ts';

const anna = subjectOf(1, [['email', 'anna@example.com']]);
const FOUND = { subjects: [{ ref: '1', found: { orders: 1 } }] };
const START = Date.UTC(2026, 0, 1);

let server: EndpointServer | undefined;
afterEach(() => server?.close());

/** Pauses take no time, but the clock goes on by them. */
async function setUp(handle: Handler, changes: Partial<HttpTargetConfig> = {}) {
  server = await startEndpoint(handle);
  const pauses: number[] = [];
  let time = START;
  const config = httpTarget(server.url, { timeout: 10_000, pollTimeout: 60_000, ...changes });
  const connector = createHttpConnector(config, {
    now: () => time,
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
      time += milliseconds;
    },
  });
  return { connector, pauses };
}

/** Answers with these statuses one after the other, then with what was found. */
function after(...steps: readonly (readonly [number, Record<string, string>?])[]): Handler {
  const left = [...steps];
  return (_, response) => {
    const [status, headers] = left.shift() ?? [];
    if (status === undefined) return FOUND;
    response.writeHead(status, headers).end();
    return undefined;
  };
}

describe('an endpoint that is busy', () => {
  it.each([429, 502, 503, 504])('is asked again after a %i', async (status) => {
    const { connector, pauses } = await setUp(after([status], [status]));

    expect(await connector.preview([anna])).toMatchObject([{ outcome: 'found' }]);
    expect(pauses).toEqual([1000, 2000]);
  });

  it('is asked again when it said, in seconds or by a date', async () => {
    const date = new Date(START + 7000).toUTCString();
    const { connector, pauses } = await setUp(
      after([503, { 'retry-after': '4' }], [503, { 'retry-after': date }]),
    );

    await connector.preview([anna]);

    expect(pauses).toEqual([4000, 3000]);
  });

  it('is not hammered when it says at once', async () => {
    const { connector, pauses } = await setUp(after([503, { 'retry-after': '0' }]));

    await connector.preview([anna]);

    expect(pauses).toEqual([200]);
  });

  it.each([
    [429, 'rate_limited'],
    [503, 'http_503'],
  ])('is left alone after a few tries: %i', async (status, code) => {
    const busy: Handler = (_, response) => void response.writeHead(status).end();
    const { connector } = await setUp(busy, { timeout: 600_000 });

    await expect(connector.preview([anna])).rejects.toMatchObject({ code });
    expect(server?.calls).toHaveLength(4);
  });

  it('is not called again at once if it asks for a longer wait than a call may take', async () => {
    const { connector, pauses } = await setUp(after([429, { 'retry-after': '3600' }]));

    await expect(connector.preview([anna])).rejects.toMatchObject({ code: 'rate_limited' });
    expect(pauses).toEqual([]);
  });
});

describe('an endpoint that answers later', () => {
  const location = '/jobs/1';

  it('is asked with growing pauses, with the same credentials, until it is done', async () => {
    const { connector, pauses } = await setUp(after([202, { location }], [202], [202]), {
      auth: { kind: 'bearer', token: 's3cret' },
    });

    expect(await connector.preview([anna])).toMatchObject([
      { outcome: 'found', counts: { orders: 1 } },
    ]);
    expect(pauses).toEqual([1000, 2000, 4000]);
    const [post, ...gets] = server?.calls ?? [];
    expect(post).toMatchObject({ method: 'POST', path: '/erase' });
    expect(gets).toHaveLength(3);
    for (const get of gets)
      expect(get).toMatchObject({
        method: 'GET',
        path: location,
        body: '',
        headers: { authorization: 'Bearer s3cret' },
      });
  });

  it('is polled at the time and address that it named last', async () => {
    const { connector, pauses } = await setUp(
      after(
        [202, { location, 'retry-after': '5' }],
        [202, { location: '/jobs/2', 'retry-after': '9' }],
      ),
    );

    await connector.preview([anna]);

    expect(pauses).toEqual([5000, 9000]);
    expect(server?.calls.map(({ path }) => path)).toEqual(['/erase', '/jobs/1', '/jobs/2']);
  });

  it('may be busy in between', async () => {
    const { connector } = await setUp(after([202, { location }], [503], [202]));

    expect(await connector.preview([anna])).toMatchObject([{ outcome: 'found' }]);
  });

  it('is given up after the poll timeout', async () => {
    const { connector, pauses } = await setUp(
      (_, response) => void response.writeHead(202, { location }).end(),
    );

    await expect(connector.preview([anna])).rejects.toMatchObject({ code: 'timeout' });
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(60_000);
  });

  it.each(['http://127.0.0.1:1/jobs/1', '//example.com/jobs/1', 'file:///etc/passwd', 'http://['])(
    'is never followed to another origin: %s',
    async (elsewhere) => {
      const { connector } = await setUp(after([202, { location: elsewhere }]));

      await expect(connector.preview([anna])).rejects.toMatchObject({ code: 'bad_answer' });
      expect(server?.calls).toHaveLength(1);
    },
  );

  it('must say where to poll', async () => {
    const { connector } = await setUp(after([202]));

    await expect(connector.preview([anna])).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it('is waited for no longer when the connector is closed', async () => {
    server = await startEndpoint((_, response) => void response.writeHead(202, { location }).end());
    const paused = Promise.withResolvers<void>();
    const connector = createHttpConnector(httpTarget(server.url), {
      pause: (_, signal) => {
        paused.resolve();
        return new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
      },
    });
    const preview = expect(connector.preview([anna])).rejects.toMatchObject({ code: 'closed' });
    await paused.promise;

    await connector.close();

    await preview;
  });
});
