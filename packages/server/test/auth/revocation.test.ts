import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runHere } from '../cli/run-here.ts';
import { type Credentials, call, getToken } from '../helpers/http/api.ts';
import { postToken, tokenFields } from '../helpers/http/token-request.ts';
import { type OwnClock, ownClock } from '../helpers/own-clock.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

const SECONDS = 1000;
/** The server looks again every five seconds, by its own clock; a minute is what is promised. */
const LOOKS_AGAIN = 5 * SECONDS;

let clock: OwnClock;
let service: TestService;
beforeAll(async () => {
  clock = ownClock();
  service = await startService();
});
afterAll(async () => {
  await service.close();
  clock.restore();
});

/** As an operator does it: with a connection to the store of its own, beside the running server. */
async function unwrite(...args: string[]) {
  const { dataDir, config } = service;
  const settings = ['--data-dir', dataDir, '--port', String(config.port)];
  const result = await runHere([...args, '--json', ...settings]);
  expect(result.stderr).toBe('');
  return JSON.parse(result.stdout);
}

const statusOf = async (token: string) =>
  (await call(`${service.url}/discovery`, { token })).status;

async function mayGetToken(credentials: Credentials): Promise<boolean> {
  return (await postToken(service.url, 'json', tokenFields(credentials))).status === 200;
}

/** A secret that was right is remembered for a second, by a clock that nobody can set. */
const untilNoToken = (credentials: Credentials) =>
  vi.waitFor(async () => expect(await mayGetToken(credentials)).toBe(false), {
    timeout: 20_000,
    interval: 50,
  });

describe('what an operator revokes beside the running server', () => {
  it('a revoked client is refused within seconds, with new tokens and old ones, and others are not', async () => {
    const [acme, neighbour] = [await service.client('acme'), await service.client('acme')];
    const [token, neighbours] = [await getToken(acme), await getToken(neighbour)];
    expect(await statusOf(token)).toBe(200);

    await unwrite('client', 'revoke', acme.client_id);
    clock.forward(LOOKS_AGAIN);
    expect(await statusOf(token)).toBe(401);
    await untilNoToken(acme);
    expect(await statusOf(neighbours)).toBe(200);
    expect(await mayGetToken(neighbour)).toBe(true);
  });

  it('a revoked secret and its tokens are refused within seconds, while the other secret works', async () => {
    const before = await service.client('acme');
    const [{ secret_id }] = await unwrite('client', 'secret', 'list', before.client_id);
    const added = await unwrite('client', 'secret', 'add', before.client_id);
    const after = { ...before, client_secret: added.client_secret };
    const [old, fresh] = [await getToken(before), await getToken(after)];
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([200, 200]);

    await unwrite('client', 'secret', 'revoke', before.client_id, secret_id);
    clock.forward(LOOKS_AGAIN);
    expect(await statusOf(old)).toBe(401);
    await untilNoToken(before);
    expect(await mayGetToken(after)).toBe(true);
    expect(await statusOf(fresh)).toBe(200);
  });

  it('is refused in the same words as a wrong secret', async () => {
    const acme = await service.client('acme');
    await unwrite('client', 'revoke', acme.client_id);
    const revoked = await postToken(service.url, 'json', tokenFields(acme));
    const unknown = tokenFields(acme, { client_id: 'cli_nobody' });
    expect(revoked.text).toBe((await postToken(service.url, 'json', unknown)).text);
  });
});

describe('the signing key', () => {
  const kidOf = (token: string) => decodeProtectedHeader(token).kid;
  const published = async (): Promise<string[]> =>
    (await call(`${service.url}/.well-known/jwks.json`)).body.keys.map(
      ({ kid }: { kid: string }) => kid,
    );

  it('is rotated: new tokens have the new one, old tokens stay valid, both are published', async () => {
    const acme = await service.client('acme');
    const old = await getToken(acme);

    const { kid } = await unwrite('signing-key', 'rotate');
    clock.forward(LOOKS_AGAIN);
    expect(kidOf(await getToken(acme))).toBe(kid);
    expect(kidOf(old)).not.toBe(kid);
    expect(await statusOf(old)).toBe(200);
    expect(await statusOf(await getToken(acme))).toBe(200);
    expect(await published()).toEqual(expect.arrayContaining([kid, kidOf(old)]));
  });

  it('is rotated after a leak: all older tokens are refused, the old keys are gone', async () => {
    const acme = await service.client('acme');
    const old = await getToken(acme);
    expect(await statusOf(old)).toBe(200);

    const { kid } = await unwrite('signing-key', 'rotate', '--revoke');
    clock.forward(LOOKS_AGAIN);
    expect(await statusOf(old)).toBe(401);
    expect(kidOf(await getToken(acme))).toBe(kid);
    expect(await statusOf(await getToken(acme))).toBe(200);
    expect(await published()).toEqual([kid]);
  });
});
