// Tokens put together by dice from what forgers change; auth/forged-token.test.ts has each change by itself.
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../helpers/http/api.ts';
import { expectErrorShape } from '../helpers/http/error-shape.ts';
import { decodePart, es256, type Json, signWith } from '../helpers/http/forge-jwt.ts';
import { type Listener, startListener } from '../helpers/http/listener.ts';
import type { Dice } from '../surgery/make/dice.ts';
import { useHostileWorld } from './hostile-world.ts';
import { diceFor, PROBES, PROBES_MS, REPEAT, report } from './seed.ts';

const AT_ONCE = 8;
const theirs = generateKeyPairSync('ec', { namedCurve: 'P-256' });

describe(`${PROBES} forged tokens (${REPEAT})`, () => {
  const world = useHostileWorld();
  let attacker: Listener;
  beforeAll(async () => {
    attacker = await startListener({ keys: [theirs.publicKey.export({ format: 'jwk' })] });
  });
  afterAll(() => attacker.close());

  function changes(dice: Dice): { header: Json; claims: Json } {
    const header = dice.one<Json>([
      ...['none', 'None', 'HS256', 'RS256', 'ES384', '', null].map((alg) => ({ alg })),
      { jwk: theirs.publicKey.export({ format: 'jwk' }) },
      { jku: `${attacker.url}/jku` },
      { x5u: `${attacker.url}/x5u` },
      { kid: `${attacker.url}/kid` },
      ...['../../dev/null', "' OR 1=1 --", '__proto__', '\0', 'x'.repeat(dice.upTo(3000))].map(
        (kid) => ({ kid }),
      ),
      { crit: ['exp'] },
      { b64: false },
      { typ: 'JWT' },
      {},
    ]);
    const now = Math.floor(Date.now() / 1000);
    const claims = dice.one<Json>([
      { iss: attacker.url },
      { aud: ['other'] },
      { exp: now - dice.upTo(1e6) - 1 },
      { nbf: now + dice.upTo(1e6) + 60 },
      { controller_id: 'honest' },
      { controller_id: dice.one<unknown>(['*', '', null, {}, ['honest'], '../honest']) },
      { client_id: `cli_${dice.upTo(1e9)}` },
      { sub: 'admin', roles: ['admin'], org_id: 'honest' },
      {},
    ]);
    return { header, claims };
  }

  it('are 401, each of them, and nothing is fetched', {
    timeout: PROBES_MS,
  }, async () => {
    const dice = diceFor('forgeries');
    const good = world.token();
    const [header, claims] = [decodePart(good, 0), decodePart(good, 1)];
    const signature = good.split('.')[2] ?? '';
    const { body } = await call(`${world.url()}/.well-known/jwks.json`);
    const publicKey = createPublicKey({ key: body.keys[0], format: 'jwk' });
    const secret = publicKey.export({ format: 'pem', type: 'spki' });
    const signers = [
      es256(theirs.privateKey),
      (signed: string) => createHmac('sha256', secret).update(signed).digest(),
      () => Buffer.alloc(0),
      () => Buffer.alloc(64),
      () => Buffer.from(signature, 'base64url'),
    ];
    function forge(): string {
      const changed = changes(dice);
      const token = signWith(
        { ...header, ...changed.header },
        { ...claims, ...changed.claims },
        dice.one(signers),
      );
      // Unchanged under the good signature, it would be the good token.
      return token === good || dice.chance(0.1) ? flipped(dice, good) : token;
    }
    async function one(): Promise<void> {
      const token = forge();
      const path = dice.one(['/discovery', '/v2/discovery', '/requests/x', '/requests']);
      const method = path === '/requests' ? 'POST' : 'GET';
      const answer = await call(`${world.url()}${path}`, { method, token });
      expect(answer.status, token).toBe(401);
      expectErrorShape(answer);
      expect(answer.text).not.toContain(token);
    }
    const worker = async () => {
      for (let n = 0; n < PROBES / AT_ONCE; n++) await one();
    };
    const seen = await world.under(async () => {
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    });
    report(`forged tokens: ${PROBES}, all 401`);
    expect(attacker.asked).toEqual([]);
    expect(seen.during.failures).toEqual([]);
    expect(seen.max.memoryMiB - seen.before.memoryMiB).toBeLessThan(120);
  });
});

/** One character of the text changed; the last of a part may have bits that mean nothing. */
function flipped(dice: Dice, token: string): string {
  const lasts = [token.indexOf('.') - 1, token.lastIndexOf('.') - 1, token.length - 1];
  const at = dice.upTo(token.length - 1);
  if (lasts.includes(at) || token[at] === '.') return flipped(dice, token);
  const other = token[at] === 'A' ? 'B' : 'A';
  return token.slice(0, at) + other + token.slice(at + 1);
}
