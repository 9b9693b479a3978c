import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, Credentials } from '../helpers/http/api.ts';
import { basic, type Format, postToken, tokenFields } from '../helpers/http/token-request.ts';
import { type OwnClock, ownClock } from '../helpers/own-clock.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let clock: OwnClock;
// Failures count for a minute: thousands of them may take longer.
beforeEach(() => {
  clock = ownClock();
  clock.stop();
});
afterEach(async () => {
  clock.restore();
  await service.close();
});

/** One try after another, each from where the proxies say it is. */
async function tries(
  credentials: Credentials,
  forwardedFor: readonly string[],
  format: Format = 'json',
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const from of forwardedFor) {
    answers.push(
      await postToken(service.url, format, tokenFields(credentials), { 'x-forwarded-for': from }),
    );
  }
  return answers;
}

const wrong = (credentials: Credentials) => ({ ...credentials, client_secret: 'unwrite_guess' });
const addresses = (count: number) =>
  Array.from({ length: count }, (_, i) => `10.1.${i >> 8}.${i & 255}`);
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

describe('guesses at a secret from one address', () => {
  it('are answered 429 with Retry-After from the eleventh on, even a right one', async () => {
    service = await startService();
    const acme = await service.client('acme');
    const answers = await tries(wrong(acme), Array(12).fill('192.0.2.1'));

    expect(statuses(answers)).toEqual([...Array(10).fill(401), 429, 429]);
    const [right] = await tries(acme, ['192.0.2.1']);
    expect(right?.status).toBe(429);
    expect(right?.body).toEqual({ error: { code: 429, message: expect.any(String) } });
    const seconds = right?.headers.get('retry-after') ?? '';
    expect(seconds).toMatch(/^\d+$/);
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(60);
  });

  it('are not hidden by a forged X-Forwarded-For', async () => {
    service = await startService();
    const answers = await tries(wrong(await service.client('acme')), addresses(12));
    expect(statuses(answers).slice(10)).toEqual([429, 429]);
  });

  it('are not hidden by what a client writes in front of the proxy in X-Forwarded-For', async () => {
    service = await startService({ trustProxy: 1 });
    const forged = addresses(12).map((address) => `${address}, 198.51.100.7`);
    const answers = await tries(wrong(await service.client('acme')), forged);
    expect(statuses(answers).slice(10)).toEqual([429, 429]);
  });

  it('are counted together whether sent as JSON, as a form or by Basic', async () => {
    service = await startService();
    const acme = wrong(await service.client('acme'));
    await tries(acme, Array(4).fill(''));
    await tries(acme, Array(4).fill(''), 'form');
    const fields = tokenFields(acme, { client_id: undefined, client_secret: undefined });
    const authorization = basic(acme.client_id, 'guess');
    for (const expected of [401, 401, 429]) {
      const answer = await postToken(service.url, 'form', fields, { authorization });
      expect(answer.status).toBe(expected);
      if (expected === 429) expect(answer.body.error).toBe('temporarily_unavailable');
    }
  });

  it('do not hold up another client at that address', async () => {
    service = await startService();
    await tries(wrong(await service.client('acme')), Array(11).fill(''));
    expect(statuses(await tries(await service.client('acme'), ['']))).toEqual([200]);
  });

  it('are throttled in the same way for a client that does not exist', async () => {
    service = await startService();
    const nobody = { ...wrong(await service.client('acme')), client_id: 'cli_nobody' };
    expect(statuses(await tries(nobody, Array(12).fill(''))).slice(9)).toEqual([401, 429, 429]);
  });
});

describe('guesses at a secret from many addresses', () => {
  it('are answered 429 after a hundred, and never lock out an address that has not failed', async () => {
    service = await startService({ trustProxy: 1 });
    const acme = await service.client('acme');
    const answers = await tries(wrong(acme), addresses(103));

    expect(statuses(answers)).toEqual([...Array(100).fill(401), 429, 429, 429]);
    expect(statuses(await tries(acme, ['192.0.2.9']))).toEqual([200]);
    expect(statuses(await tries(acme, ['10.1.0.0']))).toEqual([429]);
  });

  it('are hundreds in vain, many at a time', async () => {
    service = await startService({ trustProxy: 1 });
    const acme = await service.client('acme');
    const guesses = addresses(300);
    const seen = new Map<number, number>();
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        for (let from = guesses.pop(); from !== undefined; from = guesses.pop()) {
          const [answer] = await tries(wrong(acme), [from]);
          seen.set(answer?.status ?? 0, (seen.get(answer?.status ?? 0) ?? 0) + 1);
        }
      }),
    );
    expect(Object.fromEntries(seen)).toEqual({ 401: 100, 429: 200 });
    expect(statuses(await tries(acme, ['192.0.2.9']))).toEqual([200]);
  });
});
