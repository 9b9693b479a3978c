import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../helpers/http/api.ts';
import { decodePart, encodePart, es256, type Json, signWith } from '../helpers/http/forge-jwt.ts';
import { type Listener, startListener } from '../helpers/http/listener.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
/** Where tokens that bring their own keys would have us fetch them. */
let attacker: Listener;
let good: { token: string; header: Json; claims: Json };
let ourKey: KeyObject;
const theirs = generateKeyPairSync('ec', { namedCurve: 'P-256' });

beforeAll(async () => {
  const publicJwk = theirs.publicKey.export({ format: 'jwk' });
  attacker = await startListener({ keys: [{ ...publicJwk, kid: 'theirs', alg: 'ES256' }] });
  service = await startService();
  const token = await service.token();
  good = { token, header: decodePart(token, 0), claims: decodePart(token, 1) };
  ourKey = (await service.installation.signingKeys.current()).privateKey;
});
afterAll(async () => {
  await service.close();
  await attacker.close();
});

const now = () => Math.floor(Date.now() / 1000);

/** Signed by our own key: only what is changed can be the reason for refusing. */
function ours(header: Json, claims: Json = {}): string {
  return signWith({ ...good.header, ...header }, { ...good.claims, ...claims }, es256(ourKey));
}

function byTheirs(header: Json, claims: Json = {}): string {
  const signer = es256(theirs.privateKey);
  return signWith({ ...good.header, ...header }, { ...good.claims, ...claims }, signer);
}

async function expectRefused(token: string): Promise<void> {
  for (const path of ['/discovery', '/v2/discovery']) {
    const answer = await call(`${service.url}${path}`, { token });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error: { code: 401, message: expect.any(String) } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    if (token !== '') expect(answer.text).not.toContain(token);
  }
}

describe('forged tokens', () => {
  it('unless it is signed like our own: each case below changes one thing', async () => {
    const answer = await call(`${service.url}/discovery`, { token: ours({}) });
    expect(answer.status).toBe(200);
  });

  it.each(['none', 'None', 'NONE', 'nOnE', '', null, undefined])(
    'a token with alg %s is refused',
    async (alg) => {
      const unsigned = `${encodePart({ ...good.header, alg })}.${encodePart(good.claims)}`;
      await expectRefused(`${unsigned}.`);
      await expectRefused(`${unsigned}.${good.token.split('.')[2]}`);
    },
  );

  it('a token with HS256 and the public key as the secret is refused, in every form of that key', async () => {
    const { body } = await call(`${service.url}/.well-known/jwks.json`);
    const [jwk] = body.keys;
    const { createPublicKey } = await import('node:crypto');
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const secrets = [
      key.export({ format: 'pem', type: 'spki' }),
      key.export({ format: 'der', type: 'spki' }),
      JSON.stringify(jwk),
      Buffer.from(jwk.x, 'base64url'),
    ];
    for (const secret of secrets) {
      const header = { ...good.header, alg: 'HS256' };
      const signer = (signed: string) => createHmac('sha256', secret).update(signed).digest();
      await expectRefused(signWith(header, good.claims, signer));
    }
  });

  it.each(['ES384', 'RS256', 'PS256', 'EdDSA', 'es256', 'HS256'])(
    'a token with alg %s on a signature that is ES256 is refused',
    async (alg) => expectRefused(ours({ alg })),
  );

  it('a token that brings its own key in jwk is refused; nothing is fetched for jku and x5u', async () => {
    const jwk = theirs.publicKey.export({ format: 'jwk' });
    const kid = 'theirs';
    await expectRefused(byTheirs({ jwk }));
    await expectRefused(byTheirs({ jwk, kid }));
    await expectRefused(byTheirs({ jku: `${attacker.url}/jwks`, kid }));
    await expectRefused(byTheirs({ x5u: `${attacker.url}/x5u`, kid }));
    await expectRefused(byTheirs({ kid: `${attacker.url}/kid` }));
    await expectRefused(byTheirs({ kid }, { iss: attacker.url }));
    expect(attacker.asked).toEqual([]);
  });

  it.each([
    ['jwk', {}],
    ['jku', 'https://localhost/'],
    ['x5u', 'https://localhost/'],
    ['x5c', ['MIIB']],
    ['crit', ['exp']],
    ['crit', ['b64']],
    ['b64', false],
    ['zip', 'DEF'],
    ['cty', 'JWT'],
  ])('a token with a header %s is refused, even under a good signature', async (name, value) => {
    await expectRefused(ours({ [name]: value }));
  });

  it.each([
    '../../../../dev/null',
    '/dev/null',
    'C:\\windows\\win.ini',
    "' OR '1'='1",
    "x' UNION SELECT kid FROM signing_keys --",
    '__proto__',
    'constructor',
    '',
    '\u0000',
    'x'.repeat(8000),
    null,
    7,
    {},
    ['a'],
  ])('a token with kid %j is refused', async (kid) => expectRefused(ours({ kid })));

  it('a token without a kid is refused', async () => expectRefused(ours({ kid: undefined })));

  it.each(['JWT', 'jwt', 'at+jwt2', 'AT+JWT', 'application/at+jwt', 'id+jwt', '', undefined, 1])(
    'a token with typ %j is refused',
    async (typ) => expectRefused(ours({ typ })),
  );

  it.each(['https://elsewhere.example', '', null, undefined, 1, {}])(
    'a token with iss %j is refused',
    async (iss) => expectRefused(ours({}, { iss })),
  );

  it('a token with an iss that differs from ours by a slash, a case or a list is refused', async () => {
    const { publicUrl } = service.config;
    for (const iss of [`${publicUrl}/`, publicUrl.toUpperCase(), [publicUrl]]) {
      await expectRefused(ours({}, { iss }));
    }
  });

  it.each(['https://elsewhere.example', '', null, undefined, 1, {}, [], ['https://elsewhere']])(
    'a token with aud %j is refused',
    async (aud) => expectRefused(ours({}, { aud })),
  );

  it('a token that has expired, or whose expiry is not a number, is refused', async () => {
    for (const exp of [now() - 1, now() - 86_400, 0, undefined, null, 'never', `${now() + 60}`]) {
      await expectRefused(ours({}, { exp }));
    }
  });

  it('a token that is not valid yet is refused', async () => {
    for (const nbf of [now() + 60, now() + 86_400, 'soon', null]) {
      await expectRefused(ours({}, { nbf }));
    }
  });

  it('a token with claims that name no client, an unknown one, or no controller is refused', async () => {
    for (const claims of [
      { client_id: undefined },
      { client_id: 'cli_nobody' },
      { client_id: 1 },
      { controller_id: undefined },
      { controller_id: '../acme' },
      { secret_id: 'sec_nobody' },
    ]) {
      await expectRefused(ours({}, claims));
    }
  });

  it('a token without its signature, or with any other last character of it, is refused', async () => {
    const [header, claims, signature = ''] = good.token.split('.');
    await expectRefused(`${header}.${claims}.`);
    await expectRefused(`${header}.${claims}`);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const last of alphabet) {
      if (signature.endsWith(last)) continue;
      await expectRefused(`${header}.${claims}.${signature.slice(0, -1)}${last}`);
    }
  });

  it('a token with claims that were changed under its signature is refused', async () => {
    const [header, , signature] = good.token.split('.');
    const claims = encodePart({ ...good.claims, controller_id: 'globex' });
    await expectRefused(`${header}.${claims}.${signature}`);
  });

  it('a token with a signature of nothing but zeros is refused', async () => {
    await expectRefused(signWith(good.header, good.claims, () => Buffer.alloc(64)));
  });

  it.each(['x', 'a.b', 'a.b.c', 'a.b.c.d', '..', 'bnVsbA.bnVsbA.bnVsbA', 'W10.W10.W10'])(
    'a token that is %s is refused',
    expectRefused,
  );

  it('a token that is longer than any token is refused', async () => {
    const answer = await call(`${service.url}/discovery`, {
      token: `${good.token}${'A'.repeat(12_000)}`,
    });
    expect(answer.status).toBe(401);
  });
});
