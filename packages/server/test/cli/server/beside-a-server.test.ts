import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Credentials, call, getToken, postJson } from '../../helpers/http/api.ts';
import type { TestServer } from '../../helpers/servers/server-process.ts';
import { DEFAULT_STORE } from '../../helpers/stores/test-store.ts';
import { useInstallation } from '../use-installation.ts';

const installation = useInstallation();
const { unwrite, json, client, options } = installation;

const PATIENCE = { timeout: 20_000 };

let server: TestServer;
let acme: Credentials;

beforeAll(async () => {
  server = await installation.serve();
  acme = await client('acme');
});

function tokenStatus(credentials: Credentials): Promise<number> {
  const { client_id, client_secret, audience, token_url } = credentials;
  const body = { client_id, client_secret, audience, grant_type: 'client_credentials' };
  return postJson(token_url, body).then(({ status }) => status);
}

/** Resolves with the status when a call no longer answers 200. */
async function untilRefused(token: string): Promise<number> {
  for (;;) {
    const { status } = await call(`${server.url}/discovery`, { token });
    if (status !== 200) return status;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('the command line beside a running server', () => {
  it('makes clients that can be used at once', async () => {
    const token = await getToken(await client('fresh'));
    expect((await call(`${server.url}/discovery`, { token })).status).toBe(200);
  });

  it('rotates a secret without a moment in which none works', async () => {
    const old = await client('rotating');
    const [{ secret_id }] = await json('client', 'secret', 'list', old.client_id);
    const oldToken = await getToken(old);

    const added = await json('client', 'secret', 'add', old.client_id);
    const renewed = { ...old, client_secret: added.client_secret };
    expect([await tokenStatus(old), await tokenStatus(renewed)]).toEqual([200, 200]);

    await json('client', 'secret', 'revoke', old.client_id, secret_id);
    const token = await getToken(renewed);
    expect(await untilRefused(oldToken)).toBe(401);
    await vi.waitFor(async () => expect(await tokenStatus(old)).toBe(401), PATIENCE);
    expect(await tokenStatus(renewed)).toBe(200);
    expect((await call(`${server.url}/discovery`, { token })).status).toBe(200);
  });

  it('revokes a client: neither its secrets nor its tokens work any more', async () => {
    const credentials = await client('leaving');
    const token = await getToken(credentials);
    expect((await call(`${server.url}/discovery`, { token })).status).toBe(200);
    await json('client', 'revoke', credentials.client_id);
    expect(await untilRefused(token)).toBe(401);
    await vi.waitFor(async () => expect(await tokenStatus(credentials)).toBe(401), PATIENCE);
    const { exitCode, stderr } = await unwrite('token', credentials.client_id);
    expect([exitCode, stderr]).toEqual([
      1,
      `unwrite: client ${credentials.client_id} is revoked\n`,
    ]);
  });

  it('prints a token that the server takes, without the secret', async () => {
    const { stdout } = await unwrite('token', acme.client_id);
    expect((await call(`${server.url}/discovery`, { token: stdout.trim() })).status).toBe(200);
    const answer = await json('token', acme.client_id);
    expect(answer).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3600,
    });
    expect((await call(`${server.url}/discovery`, { token: answer.access_token })).status).toBe(
      200,
    );
  });

  it('rotates the signing key: old tokens stay good, and --revoke ends them', async () => {
    const before = await getToken(acme);
    const { kid } = await json('signing-key', 'rotate');
    expect(kidOf(before)).not.toBe(kid);
    const after = await untilSignedWith(kid);
    for (const token of [before, after]) {
      expect((await call(`${server.url}/discovery`, { token })).status).toBe(200);
    }
    await json('signing-key', 'rotate', '--revoke');
    expect(await untilRefused(after)).toBe(401);
    const keys: { revoked_time: string | null }[] = await json('signing-key', 'list');
    expect(keys.filter(({ revoked_time }) => revoked_time === null)).toHaveLength(1);
    expect((await unwrite('signing-key', 'list')).stdout).toContain(kid);
  });
});

// On PostgreSQL it is another node, and welcome.
describe.skipIf(DEFAULT_STORE === 'postgres')('a second server', () => {
  it('is refused on the same folder, with a message', async () => {
    const { exitCode, stderr } = await unwrite(
      'serve',
      '--port',
      '0',
      '--public-url',
      'http://localhost',
    );
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `unwrite: another "unwrite serve" is using ${options().dataDir}; stop it, or give this one its own --data-dir\n`,
    );
    expect((await call(`${server.url}/health/ready`)).status).toBe(200);
  });

  it('is refused on the same port, with a message', async () => {
    const { exitCode, stderr } = await unwrite('serve', '--data-dir', `${options().dataDir}-2`);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `unwrite: 127.0.0.1:${options().port} is in use already; give another --port\n`,
    );
  });

  it('is refused on an address that is not ours, with a message', async () => {
    const args = ['serve', '--data-dir', `${options().dataDir}-2`, '--host', '192.0.2.1'];
    const { exitCode, stderr } = await unwrite(...args);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^unwrite: cannot listen on 192\.0\.2\.1:\d+ \(EADDRNOTAVAIL\)/);
  });
});

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
}

/** The server looks for new keys every few seconds. */
async function untilSignedWith(kid: string): Promise<string> {
  for (;;) {
    const token = await getToken(acme);
    if (kidOf(token) === kid) return token;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
