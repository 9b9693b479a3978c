// The memory of verified tokens, by an injected clock.
import { beforeEach, describe, expect, it } from 'vitest';
import { createAccessTokens } from '../../src/auth/access-token.ts';
import {
  type Authenticate,
  createAuthentication,
  type Recall,
} from '../../src/auth/authenticate.ts';
import { Unauthenticated } from '../../src/auth/principal.ts';
import {
  createSigningKeys,
  makeSigningKey,
  type SigningKeys,
} from '../../src/auth/signing-keys.ts';
import type { SigningKeyStore, StoredSigningKey } from '../../src/domain/keys/secret-ports.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';

const START = Date.parse('2026-11-15T02:00:00Z');
const LIFETIME_S = 3600;
const MAX_REMEMBERED = 100;
const sealer = { seal: (bytes: Uint8Array) => bytes, open: (bytes: Uint8Array) => bytes };

let now: number;
let revoked: boolean;
let isAway: boolean;
let asked: number;
let stored: StoredSigningKey[];
let loads = 0;
let keys: SigningKeys;
let authenticate: Authenticate;
let recall: Recall;
let header: string;
let anotherHeader: () => Promise<string>;

const pass = (seconds: number) => {
  now += seconds * 1000;
};

const keyStore: SigningKeyStore = {
  async signingKeys() {
    loads++;
    return stored;
  },
  async addSigningKey(key, before) {
    const time = key.createdTime;
    const older = stored.map((known) => ({
      ...known,
      retiredTime: known.retiredTime ?? time,
      revokedTime: before === 'revoke' ? time : known.revokedTime,
    }));
    stored = [key, ...older];
  },
  async removeSigningKeysRetiredBefore(time) {
    stored = stored.filter(({ retiredTime }) => retiredTime === null || retiredTime >= time);
  },
};

beforeEach(async () => {
  now = START;
  revoked = false;
  isAway = false;
  asked = 0;
  stored = [];
  const clock = () => now;
  keys = createSigningKeys({
    store: keyStore,
    sealer,
    clock,
    rotateAfterMs: 90 * 86_400_000,
    verifyRetiredMs: LIFETIME_S * 1000,
    refreshMs: 5000,
  });
  await keys.maintain();
  const issuer = 'https://erase.example';
  const tokens = createAccessTokens({
    keys,
    clock,
    issuer,
    audience: issuer,
    lifetimeSeconds: LIFETIME_S,
  });
  ({ authenticate, recall } = createAuthentication({
    tokens,
    keys,
    issuer,
    clock,
    recheckMs: 5000,
    tenants: {
      async mayUse() {
        asked++;
        if (isAway) throw new Error('the store is away');
        return !revoked;
      },
    },
    sso: { verify: () => Promise.reject(new Error('not asked here')) },
    maxRemembered: MAX_REMEMBERED,
  }));
  const subject = { clientId: 'cli_1', controllerId: 'acme' as ControllerId, secretId: 'sec_1' };
  anotherHeader = async () => `Bearer ${(await tokens.issue(subject)).accessToken}`;
  header = await anotherHeader();
});

describe('a verified token', () => {
  it('is remembered: its client is asked about every five seconds, not with every call', async () => {
    for (let i = 0; i < 100; i++) await authenticate(header);
    expect(asked).toBe(1);
    pass(5);
    for (let i = 0; i < 100; i++) await authenticate(header);
    expect(asked).toBe(2);
  });

  it('is looked up once for all requests that use it at the same time', async () => {
    await Promise.all(Array.from({ length: 100 }, () => authenticate(header)));
    expect(asked).toBe(1);
    pass(5);
    await Promise.all(Array.from({ length: 100 }, () => authenticate(header)));
    expect(asked).toBe(2);
  });

  it('is not recalled after five seconds, until it was asked about again', async () => {
    await authenticate(header);
    expect(recall(header)).toMatchObject({ controllerId: 'acme' });
    pass(5);
    expect(recall(header)).toBeUndefined();
    expect(asked).toBe(1);
    await authenticate(header);
    expect(recall(header)).toMatchObject({ controllerId: 'acme' });
  });

  it('is neither accepted nor refused while the store cannot be reached, and is accepted afterwards', async () => {
    await authenticate(header);
    pass(5);
    isAway = true;
    await expect(authenticate(header)).rejects.toThrow('the store is away');
    isAway = false;
    expect(await authenticate(header)).toMatchObject({ controllerId: 'acme' });
  });

  it('is refused within a minute after its client was revoked', async () => {
    await authenticate(header);
    revoked = true;
    pass(59);
    await expect(authenticate(header)).rejects.toThrow(Unauthenticated);
  });

  it('is refused from the second in which it expires, although it was cached', async () => {
    pass(LIFETIME_S - 1);
    await authenticate(header);
    pass(1);
    await expect(authenticate(header)).rejects.toThrow(Unauthenticated);
  });

  it('is looked up again although the clock was set back by a day', async () => {
    await authenticate(header);
    revoked = true;
    pass(-86_400);
    await expect(authenticate(header)).rejects.toThrow(Unauthenticated);
  });

  it('is remembered once, however its header is spelled', async () => {
    await authenticate(header);
    for (const spelling of [`${header} `, header.replace('Bearer ', 'bearer  ')]) {
      await authenticate(spelling);
      expect(recall(spelling)).toMatchObject({ controllerId: 'acme' });
    }
    expect(asked).toBe(1);
  });

  it('stays in the cache while it is used, however many others arrive', async () => {
    await authenticate(header);
    for (let i = 0; i < 3 * MAX_REMEMBERED; i++) {
      await authenticate(await anotherHeader());
      expect(recall(header)).toMatchObject({ controllerId: 'acme' });
    }
  });

  it('is forgotten before the memory grows without bound, and is still good', async () => {
    await authenticate(header);
    const others = await Promise.all(Array.from({ length: MAX_REMEMBERED }, anotherHeader));
    const [last = ''] = others.slice(-1);
    for (const other of others) await authenticate(other);
    const before = asked;
    await authenticate(last);
    expect(asked).toBe(before);
    await authenticate(header);
    expect(asked).toBe(before + 1);
  });
});

describe('a signing key', () => {
  const rotate = (before: 'retire' | 'revoke') =>
    keyStore.addSigningKey(makeSigningKey(sealer, now), before, 'operator:test');

  it('verifies its tokens until they have expired after another took over', async () => {
    await rotate('retire');
    pass(LIFETIME_S - 1);
    expect(await authenticate(header)).toMatchObject({ controllerId: 'acme' });
  });

  it('verifies nothing once its last token has expired, even before it is removed', async () => {
    const { kid } = await keys.current();
    await rotate('retire');
    pass(LIFETIME_S - 1);
    expect(await keys.verifying(kid)).toBeDefined();
    pass(6);
    expect(await keys.verifying(kid)).toBeUndefined();
    expect((await keys.publicJwks()).map((key) => key.kid)).not.toContain(kid);
    expect(stored).toHaveLength(2);
  });

  it('a revoked signing key verifies nothing any more within a minute', async () => {
    await authenticate(header);
    await rotate('revoke');
    pass(59);
    await expect(authenticate(header)).rejects.toThrow(Unauthenticated);
  });

  it('is replaced by itself when it is old, and removed when its last token has expired', async () => {
    const first = (await keys.current()).kid;
    pass(90 * 86_400);
    await keys.maintain();
    expect((await keys.current()).kid).not.toBe(first);
    expect((await keys.publicJwks()).map(({ kid }) => kid)).toContain(first);
    pass(LIFETIME_S + 1);
    await keys.maintain();
    expect((await keys.publicJwks()).map(({ kid }) => kid)).not.toContain(first);
    expect(stored).toHaveLength(1);
  });

  it('stays when it is not old yet', async () => {
    const first = (await keys.current()).kid;
    pass(89 * 86_400);
    await keys.maintain();
    expect((await keys.current()).kid).toBe(first);
  });

  it('is loaded once for all requests that need it at the same time', async () => {
    const before = loads;
    await Promise.all(Array.from({ length: 100 }, () => keys.current()));
    expect(loads).toBe(before);
    pass(5);
    await Promise.all(Array.from({ length: 100 }, () => keys.current()));
    expect(loads).toBe(before + 1);
  });
});
