// What one node gives out holds on the others, and so does what an operator takes back.
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { type Credentials, call, getToken, postJson } from '../helpers/http/api.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { postToken, tokenFields } from '../helpers/http/token-request.ts';
import { startNodes, type TestNodes } from '../helpers/servers/nodes.ts';

/** Promised is a minute; a node looks again every five seconds. */
const PATIENCE = { timeout: 20_000, interval: 250 };

describe.skipIf(!(await hasPostgres()))('on two nodes', () => {
  let installation: TestNodes;
  let a: string;
  let b: string;

  beforeAll(async () => {
    installation = await startNodes({ roles: ['all', 'api'] });
    [a, b] = installation.nodes.map(({ url }) => url) as [string, string];
  });
  afterAll(() => installation.close());

  const client = (): Promise<Credentials> =>
    installation.command('client', 'create', '--controller', 'acme');
  const tokenFrom = (url: string, credentials: Credentials) =>
    getToken({ ...credentials, token_url: `${url}/oauth/token` });
  const statusOf = async (url: string, token: string) =>
    (await call(`${url}/discovery`, { token })).status;
  const onBoth = async (token: string) => [await statusOf(a, token), await statusOf(b, token)];
  const mayGetTokens = async (credentials: Credentials) => {
    const asked = [a, b].map((url) => postToken(url, 'json', tokenFields(credentials)));
    return (await Promise.all(asked)).map(({ status }) => status);
  };
  const kidOf = (token: string) => decodeProtectedHeader(token).kid;
  const publishedAt = async (url: string): Promise<string[]> =>
    (await call(`${url}/.well-known/jwks.json`)).body.keys.map(({ kid }: { kid: string }) => kid);

  it('a token of one node is valid on the other, and a request is the same on both', async () => {
    const token = await tokenFrom(a, await client());
    expect(await onBoth(token)).toEqual([200, 200]);
    const body = requestBody();
    const id = body.subject_request_id;
    expect((await postJson(`${a}/requests`, body, token)).status).toBe(201);
    expect((await postJson(`${b}/requests`, body, token)).status).toBe(409);
    expect((await call(`${b}/requests/${id}`, { method: 'DELETE', token })).status).toBe(202);
    const answer = await call(`${a}/requests/${id}`, { token });
    expect(answer.body.request_status).toBe('cancelled');
  });

  it('a client that is revoked, and a secret, are refused by both; others are not', async () => {
    const [revoked, before, neighbour] = [await client(), await client(), await client()];
    const [{ secret_id }] = await installation.command(
      'client',
      'secret',
      'list',
      before.client_id,
    );
    const added = await installation.command('client', 'secret', 'add', before.client_id);
    const after = { ...before, client_secret: added.client_secret };
    const tokens = await Promise.all([
      tokenFrom(a, revoked),
      tokenFrom(b, before),
      tokenFrom(a, after),
      tokenFrom(b, neighbour),
    ]);
    for (const token of tokens) expect(await onBoth(token)).toEqual([200, 200]);

    await installation.command('client', 'revoke', revoked.client_id);
    await installation.command('client', 'secret', 'revoke', before.client_id, secret_id);
    const [ofRevoked, ofBefore, ofAfter, ofNeighbour] = tokens as [string, string, string, string];
    await vi.waitFor(async () => {
      expect(await onBoth(ofRevoked)).toEqual([401, 401]);
      expect(await onBoth(ofBefore)).toEqual([401, 401]);
      expect(await mayGetTokens(revoked)).toEqual([401, 401]);
      expect(await mayGetTokens(before)).toEqual([401, 401]);
    }, PATIENCE);
    expect(await onBoth(ofAfter)).toEqual([200, 200]);
    expect(await onBoth(ofNeighbour)).toEqual([200, 200]);
    expect(await mayGetTokens(after)).toEqual([200, 200]);
  });

  it('a signing key that is rotated is used by both, and one that leaked is refused by both', async () => {
    const acme = await client();
    const first = await tokenFrom(a, acme);
    const bothSignWith = (kid: string) =>
      vi.waitFor(async () => {
        expect(kidOf(await tokenFrom(a, acme))).toBe(kid);
        expect(kidOf(await tokenFrom(b, acme))).toBe(kid);
      }, PATIENCE);

    const rotated: string = (await installation.command('signing-key', 'rotate')).kid;
    await bothSignWith(rotated);
    expect(await onBoth(first)).toEqual([200, 200]);
    const second = await tokenFrom(b, acme);
    expect(await onBoth(second)).toEqual([200, 200]);
    for (const url of [a, b]) {
      expect(await publishedAt(url)).toEqual(expect.arrayContaining([kidOf(first), rotated]));
    }

    const { kid } = await installation.command('signing-key', 'rotate', '--revoke');
    await vi.waitFor(async () => {
      expect(await onBoth(first)).toEqual([401, 401]);
      expect(await onBoth(second)).toEqual([401, 401]);
    }, PATIENCE);
    await bothSignWith(kid);
    for (const url of [a, b]) expect(await publishedAt(url)).toEqual([kid]);
  });

  it('both nodes seal with a master key after it was rotated in, and what was sealed before is sealed with it again', async () => {
    const { master_key: sealing } = await installation.command('keys', 'rotate', '--as', 'olga');
    const token = await tokenFrom(a, await client());
    await vi.waitFor(async () => {
      for (const url of [a, b]) {
        const body = requestBody();
        expect((await postJson(`${url}/requests`, body, token)).status).toBe(201);
        const row = await installation.database.get<{ key: string }>(
          `SELECT master_key_id AS key FROM @sealed_identities JOIN @requests USING (request_no)
           WHERE request_uuid = $1::uuid`,
          [body.subject_request_id],
        );
        expect(row?.key).toBe(sealing);
      }
    }, PATIENCE);
  });
});
