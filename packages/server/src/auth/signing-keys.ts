// Our own signing keys: made, rotated, and reloaded when another process rotates them.
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
import { StoreUnavailable } from '../domain/store/store-unavailable.ts';

const AWAY = 'this node does not have the master key that seals the signing keys';

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

interface UsableKey extends SigningKey {
  readonly publicKey: KeyObject;
  readonly createdTime: number;
  readonly retiredTime: number | null;
}

export interface SigningKeys {
  current(): Promise<SigningKey>;
  /** The public key of a kid that may still verify. */
  verifying(kid: string): Promise<KeyObject | undefined>;
  /** For /.well-known/jwks.json. */
  publicJwks(): Promise<PublicJwk[]>;
  /** Makes a key if there is none. */
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
  /** Called for a key in the store that we did not make. */
  readonly refused?: (kid: string) => void;
  /** Whether this node is waiting for the master key that seals it. */
  readonly isAway?: (sealed: Uint8Array) => boolean;
}

export function createSigningKeys(options: SigningKeyOptions): SigningKeys {
  const { store, sealer, clock } = options;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let begun = 0;
  let taken = 0;
  let refreshing: Promise<void> | undefined;
  let making: Promise<void> | undefined;
  let usable: UsableKey[] = [];
  const publicKeys = new Map<string, KeyObject>();
  let signing: SigningKey | undefined;
  let forged: readonly string[] = [];
  let away: ReadonlySet<string> = new Set();

  function isUsable(key: StoredSigningKey): boolean {
    if (key.revokedTime !== null) return false;
    return key.retiredTime === null || key.retiredTime + options.verifyRetiredMs > clock();
  }

  async function load(): Promise<void> {
    const at = clock();
    const no = ++begun;
    const stored = await store.signingKeys();
    // A later read may have found a key that this one did not.
    if (no < taken) return;
    taken = no;
    loadedAt = at;
    const current = stored.filter(isUsable);
    away = new Set(
      current.flatMap((it) => (options.isAway?.(it.sealedPrivateKey) ? [it.kid] : [])),
    );
    const candidates = current.filter(({ kid }) => !away.has(kid));
    usable = candidates.flatMap((key) => openSigningKey(key, sealer) ?? []);
    const opened = new Set(usable.map(({ kid }) => kid));
    forged = candidates.map(({ kid }) => kid).filter((kid) => !opened.has(kid));
    for (const kid of forged) options.refused?.(kid);
    publicKeys.clear();
    for (const { kid, publicKey } of usable) publicKeys.set(kid, publicKey);
    const newest = usable.find((key) => key.retiredTime === null);
    if (newest?.kid !== signing?.kid) signing = newest;
  }

  /** If another node was faster, its key is used. */
  async function add(instead: string | null): Promise<void> {
    const key = makeSigningKey(sealer, clock());
    await store.addSigningKey(key, 'retire', 'system', { of: instead, except: forged });
    await load();
  }

  /** Also where someone else has deleted or damaged all keys while the server runs. Concurrent callers share one key. */
  async function makeFirst(): Promise<void> {
    if (away.size > 0) throw new StoreUnavailable(AWAY);
    making ??= add(null).finally(() => {
      making = undefined;
    });
    await making;
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
      if (signing === undefined) await makeFirst();
      if (signing === undefined) throw new Error('there is no signing key');
      return signing;
    },
    async verifying(kid) {
      await refresh();
      if (away.has(kid)) throw new StoreUnavailable(AWAY);
      return publicKeys.get(kid);
    },
    async publicJwks() {
      await refresh();
      return usable.map(({ kid, publicKey }) => publicJwkOf(kid, publicKey));
    },
    async ensure() {
      await load();
      if (signing === undefined) await makeFirst();
    },
    async maintain() {
      await load();
      if (away.size > 0) throw new StoreUnavailable(AWAY);
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
  return {
    kid,
    publicJwk: JSON.stringify(publicJwkOf(kid, publicKey)),
    sealedPrivateKey: sealer.seal(
      privateKey.export({ format: 'der', type: 'pkcs8' }),
      `signing key ${kid}`,
    ),
    createdTime: time,
    retiredTime: null,
    revokedTime: null,
  };
}

function publicJwkOf(kid: string, publicKey: KeyObject): PublicJwk {
  const { kty = '', crv = '', x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { kty, crv, x, y, kid, use: 'sig', alg: 'ES256' };
}

/**
 * The public key is derived from the sealed private key, never read from its own column: otherwise anyone with write
 * access to the database could add a key and sign tokens.
 */
function openSigningKey(key: StoredSigningKey, sealer: SecretSealer): UsableKey | undefined {
  const { kid, createdTime, retiredTime } = key;
  try {
    const der = Buffer.from(sealer.open(key.sealedPrivateKey, `signing key ${kid}`));
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return { kid, createdTime, retiredTime, privateKey, publicKey: createPublicKey(privateKey) };
  } catch {
    return undefined;
  }
}
