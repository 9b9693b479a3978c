// Generated paths, headers and tokens against a running service. `npm run test:long -- fuzz` tries many more.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FUZZ_SEED, fuzzRuns, reportInputs } from '../../helpers/fuzz-runs.ts';
import { makeController, type TestController } from '../../helpers/http/controller.ts';
import { expectErrorShape } from '../../helpers/http/error-shape.ts';
import { headers, method, path, token } from '../../helpers/http/generated-requests.ts';
import { exchange, readAnswers } from '../../helpers/http/raw-socket.ts';
import { startService, type TestService } from '../../helpers/servers/service.ts';

const RUNS = Math.ceil(fuzzRuns(2000) / 4);
const AT_ONCE = 10;

describe('generated requests', () => {
  const timeout = 60_000 + RUNS * 40;
  let service: TestService;
  let acme: TestController;
  beforeAll(async () => {
    service = await startService({ rateLimit: 'off' });
    acme = await makeController(service);
  });
  afterAll(() => service.close());

  let sent = 0;
  /** Nothing that is not an answer of ours: the error shape, or a good answer, or none. */
  async function send(line: string, lines: readonly string[]): Promise<number[]> {
    sent++;
    const request = [line, 'Host: localhost', 'Connection: close', ...lines, '', ''].join('\r\n');
    const answers = readAnswers(await exchange(service.url, request));
    for (const answer of answers) {
      expect(answer.status).toBeLessThan(500);
      const isForm = answer.headers.get('content-type')?.startsWith('application/json') === false;
      if (answer.status >= 400) expect(isForm).toBe(false);
      if (answer.status >= 400 && !line.includes('/oauth/')) expectErrorShape(answer);
    }
    return answers.map(({ status }) => status);
  }

  async function forAll<T>(
    what: string,
    arbitrary: fc.Arbitrary<T>,
    check: (item: T) => Promise<void>,
  ): Promise<void> {
    sent = 0;
    const batch = fc.array(arbitrary, { minLength: 1, maxLength: AT_ONCE, size: 'max' });
    const property = fc.asyncProperty(batch, async (some) => {
      await Promise.all(some.map(check));
    });
    await fc.assert(property, { numRuns: Math.ceil(RUNS / (AT_ONCE / 2)), ...FUZZ_SEED });
    reportInputs(what, sent);
  }

  it('a request with any path and method gets at most one answer', { timeout }, () =>
    forAll(
      'paths and methods',
      fc.tuple(method, path, fc.boolean()),
      async ([verb, target, isAllowed]) => {
        const bearer = isAllowed ? [`Authorization: Bearer ${acme.token}`] : [];
        const statuses = await send(`${verb} ${target} HTTP/1.1`, bearer);
        expect(statuses.length).toBeLessThanOrEqual(1);
      },
    ),
  );

  it('a request with any headers gets a valid answer or none', { timeout }, () =>
    forAll('headers', headers, async (lines) => {
      await send('GET /discovery HTTP/1.1', [...lines, `Authorization: Bearer ${acme.token}`]);
      await send('POST /requests HTTP/1.1', ['Content-Length: 0', ...lines]);
    }),
  );

  it('a request with any token is refused', { timeout }, () =>
    forAll('tokens', token, async (text) => {
      const statuses = await send('GET /discovery HTTP/1.1', [`Authorization: Bearer ${text}`]);
      for (const status of statuses) expect([400, 401, 431]).toContain(status);
    }),
  );
});
