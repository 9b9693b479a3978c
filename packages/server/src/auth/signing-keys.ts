// Our own signing keys: made, rotated, and followed as other processes rotate them.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Clock } from '../domain/clock.ts';
import type {
  SecretSealer,
  SigningKeyStore,
  StoredSigningKey,
} from '../domain/keys/secret-ports.ts';

/** Another process's rotation or revocation is seen after this long, well inside 60 s. */

export interface PublicJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'ES256';
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

export interface SigningKeys {
  current(): Promise<SigningKey>;
  /** The public key of a kid that may still verify. */
  verifying(kid: string): Promise<KeyObject | undefined>;
  /** For /.well-known/jwks.json. */
  publicJwks(): Promise<PublicJwk[]>;
  /** Makes a key where there is none. */
  ensure(): Promise<void>;
  /** Replaces a key that is old, and removes keys that are no longer needed. */
  maintain(): Promise<void>;
}

export interface SigningKeyOptions {
  readonly store: SigningKeyStore;
  readonly sealer: SecretSealer;
  readonly clock: Clock;
  readonly rotateAfterMs: number;
  /** A retired key verifies this long: the lifetime of the tokens that it signed. */
  readonly verifyRetiredMs: number;
  /** How long the keys that were read are used without reading them again. */
  readonly refreshMs: number;
}

export function createSigningKeys(options: SigningKeyOptions): SigningKeys {
  const { store, sealer, clock } = options;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let begun = 0;
  let taken = 0;
  let refreshing: Promise<void> | undefined;
  let usable: StoredSigningKey[] = [];
  const publicKeys = new Map<string, KeyObject>();
  let signing: SigningKey | undefined;

  function isUsable(key: StoredSigningKey): boolean {
    if (key.revokedTime !== null) return false;
    return key.retiredTime === null || key.retiredTime + options.verifyRetiredMs > clock();
  }

  async function load(): Promise<void> {
    const at = clock();
    const no = ++begun;
    const stored = await store.signingKeys();
    // A later read may know a key that this one does not.
    if (no < taken) return;
    taken = no;
    loadedAt = at;
    usable = stored.filter(isUsable);
    publicKeys.clear();
    for (const { kid, publicJwk } of usable) {
      publicKeys.set(kid, createPublicKey({ key: JSON.parse(publicJwk), format: 'jwk' }));
    }
    const newest = usable.find((key) => key.retiredTime === null);
    if (newest?.kid !== signing?.kid) signing = newest && openSigningKey(newest, sealer);
  }

  /** Where another node was faster, its key is used. */
  async function add(instead: string | null): Promise<void> {
    const key = makeSigningKey(sealer, clock());
    await store.addSigningKey(key, 'retire', 'system', { of: instead });
    await load();
  }

  /** Concurrent callers share one refresh. */
  async function refresh(): Promise<void> {
    if (Math.abs(clock() - loadedAt) < options.refreshMs) return;
    refreshing ??= load().finally(() => {
      refreshing = undefined;
    });
    await refreshing;
  }

  return {
    async current() {
      await refresh();
      if (signing === undefined) throw new Error('there is no signing key');
      return signing;
    },
    async verifying(kid) {
      await refresh();
      return publicKeys.get(kid);
    },
    async publicJwks() {
      await refresh();
      return usable.map(({ publicJwk }) => JSON.parse(publicJwk) as PublicJwk);
    },
    async ensure() {
      await load();
      if (signing === undefined) await add(null);
    },
    async maintain() {
      await load();
      const newest = usable.find((key) => key.retiredTime === null);
      if (newest === undefined || newest.createdTime + options.rotateAfterMs <= clock()) {
        await add(newest?.kid ?? null);
      }
      const unneeded = clock() - options.verifyRetiredMs;
      const isUnneeded = ({ retiredTime }: StoredSigningKey) =>
        retiredTime !== null && retiredTime < unneeded;
      if ((await store.signingKeys()).some(isUnneeded)) {
        await store.removeSigningKeysRetiredBefore(unneeded);
      }
    },
  };
}

export function makeSigningKey(sealer: SecretSealer, time: number): StoredSigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomBytes(12).toString('base64url');
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  const jwk = { kty, crv, x, y, kid, use: 'sig', alg: 'ES256' };
  return {
    kid,
    publicJwk: JSON.stringify(jwk),
    sealedPrivateKey: sealer.seal(
      privateKey.export({ format: 'der', type: 'pkcs8' }),
      `signing key ${kid}`,
    ),
    createdTime: time,
    retiredTime: null,
    revokedTime: null,
  };
}

function openSigningKey(key: StoredSigningKey, sealer: SecretSealer): SigningKey {
  const der = Buffer.from(sealer.open(key.sealedPrivateKey, `signing key ${key.kid}`));
  return { kid: key.kid, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
}
