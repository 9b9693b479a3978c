// The key that signs heads and receipts: Ed25519, sealed in the store. It is replaced by command and by age:
// the old key signs the new one, and its private half is deleted.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { ProofSigner, VerifySignature } from '../domain/audit/proof-ports.ts';
import { isToPutBack, ProofKeysMissing, SecretOutdated } from '../domain/keys/missing-secret.ts';
import { openSecret, secretContext } from '../domain/keys/open-secret.ts';
import type { ProofKeyStore, PublishedKey } from '../domain/keys/proof-key-ports.ts';
import type { OwnSecretStore, SecretSealer } from '../domain/keys/secret-ports.ts';
import type { Actor } from '../domain/task/operator-ports.ts';
import { keyIdOf, shortIdOf, signedTextOf } from './published-key.ts';

const NAME = 'proof signing key';
const CONTEXT = secretContext(NAME);
const MAX_ATTEMPTS = 3;
/** With more foreign keys than that in the log, all unknown keys count as foreign: each costs a repetition. */
const MAX_FOREIGN_KEYS = 10;

export interface ProofKeyParts {
  readonly ownSecrets: OwnSecretStore;
  readonly proofKeys: ProofKeyStore;
}

/** Signs with the newest key, even after another process has replaced it. */
export interface LiveProofSigner extends ProofSigner {
  /** Verifies with all keys that were ever published; to be used inside withNewestKeys. */
  readonly verify: VerifySignature;
  readonly published: readonly PublishedKey[];
  /**
   * Runs work that signs or verifies. Another node may replace the key meanwhile: if the work finds an unknown
   * key, it is run again with the keys of that time, so it must be repeatable.
   */
  withNewestKeys<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Why nothing can be signed: the key is damaged, missing, or not the newest published one. Verifying still
   * works.
   */
  readonly unusable: Error | undefined;
  /** Returns whether it replaced the key; another process may have been first. */
  rotate(by: Actor): Promise<boolean>;
}

/** The key was not published when the keys were read: it is newer, or someone else's. */
class UnknownKey extends Error {
  override readonly name = 'UnknownKey';
  readonly keyId: string;

  constructor(keyId: string) {
    super(`the key ${keyId} is not known`);
    this.keyId = keyId;
  }
}

interface OpenedKey {
  readonly sealed: Uint8Array;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly keyId: string;
}

export async function loadProofSigner(
  { ownSecrets, proofKeys }: ProofKeyParts,
  sealer: SecretSealer,
  now: number,
): Promise<LiveProofSigner> {
  async function open(): Promise<OpenedKey> {
    const sealed = await ownSecrets.ownSecret(NAME);
    if (sealed === undefined) throw new Error('the key for proofs could not be kept');
    const der = Buffer.from(await openSecret(ownSecrets, sealer, NAME, sealed));
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const publicKey = createPublicKey(privateKey);
    return { sealed, privateKey, publicKey, keyId: keyIdOf(publicKey) };
  }

  let current: OpenedKey | undefined;
  let published: PublishedKey[] = [];
  let byId = indexKeys([]);
  let unusable: Error | undefined;
  /** Keys that a running work has found and that were never published; each work has its own set. */
  const foreignKeys = new AsyncLocalStorage<ReadonlySet<string>>();
  await read();

  /** Another process may replace the key between the two reads: then both are read again. */
  async function read(): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        current = await openOrMake();
        unusable = undefined;
      } catch (error) {
        if (!isToPutBack(error)) throw error;
        current = undefined;
        unusable = error;
      }
      published = await proofKeys.proofKeys();
      if (current === undefined) break;
      if (published.length === 0) await publishFirst(current);
      unusable = await whyUnusable(current, published);
      if (unusable === undefined) break;
    }
    byId = indexKeys(published.map(({ publicKey }) => publicKey));
  }

  async function openOrMake(): Promise<OpenedKey> {
    if ((await ownSecrets.ownSecret(NAME)) === undefined) {
      await ownSecrets.addOwnSecret(NAME, sealer.seal(derOf(makeKey()), CONTEXT));
    }
    // Read again: another process may have stored one first.
    return open();
  }

  /** Also publishes a key from before keys were published; but never again if published rows were lost. */
  async function publishFirst({ publicKey, privateKey }: OpenedKey): Promise<void> {
    if ((await proofKeys.publishedSince()) !== null) return;
    const place = { keyNo: 1, previousKeyId: null };
    await proofKeys.addFirstProofKey(publish(publicKey, privateKey, place, now));
    published = await proofKeys.proofKeys();
  }

  async function whyUnusable(
    { keyId }: OpenedKey,
    keys: readonly PublishedKey[],
  ): Promise<Error | undefined> {
    if (keys.length > 0) return outdatedBy(keyId, keys);
    return new ProofKeysMissing((await proofKeys.publishedSince()) ?? now);
  }

  function usable(): OpenedKey {
    if (unusable !== undefined) throw unusable;
    if (current === undefined) throw new Error('the key for proofs could not be opened');
    return current;
  }

  /** Compares both: an older secret that was put back would be the one that this process knows. */
  async function refresh(): Promise<void> {
    const sealed = await ownSecrets.ownSecret(NAME);
    const newest = (await proofKeys.proofKeys()).at(-1);
    const isSame =
      sealed !== undefined &&
      current !== undefined &&
      newest !== undefined &&
      Buffer.compare(sealed, current.sealed) === 0 &&
      newest.keyId === published.at(-1)?.keyId;
    if (!isSame) await read();
  }

  async function withNewestKeys<T>(work: () => Promise<T>): Promise<T> {
    await refresh();
    const foreign = new Set<string>();
    for (;;) {
      try {
        return await foreignKeys.run(foreign, work);
      } catch (error) {
        if (!(error instanceof UnknownKey)) throw error;
        await refresh();
        if (!byId.has(error.keyId)) foreign.add(error.keyId);
      }
    }
  }

  function isForeign(keyId: string): boolean {
    const found = foreignKeys.getStore();
    return found !== undefined && (found.has(keyId) || found.size >= MAX_FOREIGN_KEYS);
  }

  return {
    get keyId() {
      return usable().keyId;
    },
    get publicKey() {
      return pemOf(usable().publicKey);
    },
    get published() {
      return published;
    },
    get unusable() {
      return unusable;
    },
    sign: (bytes) => sign(null, bytes, usable().privateKey),
    verify: (keyId, bytes, signature) => {
      const key = byId.get(keyId);
      if (key === undefined && !isForeign(keyId)) throw new UnknownKey(keyId);
      return key !== undefined && verify(null, bytes, key, signature);
    },
    withNewestKeys,
    async rotate(by) {
      await refresh();
      const before = usable().keyId;
      // A move to another master key changes the sealed bytes but not the key: then try again.
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const { keyId, privateKey, sealed: sealedBefore } = usable();
        if (keyId !== before) break;
        const next = makeKey();
        const last = published.at(-1);
        const place = { keyNo: (last?.keyNo ?? 0) + 1, previousKeyId: keyId };
        const key = publish(createPublicKey(next), privateKey, place, by.now);
        const sealed = sealer.seal(derOf(next), CONTEXT);
        const secret = { name: NAME, before: sealedBefore, sealed };
        const isDone = await proofKeys.replaceProofKey(key, secret, by);
        await refresh();
        if (isDone) return true;
      }
      return false;
    },
  };
}

/** Only the newest key may sign: a signature by an older key after its replacement would be someone else's. */
function outdatedBy(keyId: string, published: readonly PublishedKey[]): SecretOutdated | undefined {
  const newest = published.at(-1);
  if (newest === undefined || newest.keyId === keyId) return undefined;
  const found = published.find((key) => key.keyId === keyId);
  const which = found === undefined ? 'a key that was not published' : `key ${found.keyNo}`;
  const what = `it is ${which}, and key ${newest.keyNo} (${shortIdOf(newest.keyId)}) was published last`;
  return new SecretOutdated(NAME, what, newest.createdTime);
}

function publish(
  publicKey: KeyObject,
  signedBy: KeyObject,
  place: Pick<PublishedKey, 'keyNo' | 'previousKeyId'>,
  createdTime: number,
): PublishedKey {
  const key = { ...place, keyId: keyIdOf(publicKey), publicKey: pemOf(publicKey), createdTime };
  return { ...key, signature: sign(null, signedTextOf(key), signedBy) };
}

const makeKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;
const derOf = (key: KeyObject) => key.export({ format: 'der', type: 'pkcs8' });
const pemOf = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }).toString();

/** Takes PEM, as `unwrite audit key` prints it and the service publishes it; one text may hold several keys. */
export function createSignatureVerifier(publicKeys: readonly string[]): VerifySignature {
  const keys = indexKeys(publicKeys);
  return (keyId, bytes, signature) => {
    const key = keys.get(keyId);
    return key !== undefined && verify(null, bytes, key, signature);
  };
}

const PEM = /-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/g;

function indexKeys(publicKeys: readonly string[]): ReadonlyMap<string, KeyObject> {
  const keys = publicKeys
    .flatMap((text) => text.match(PEM) ?? [text])
    .map((pem) => createPublicKey(pem));
  return new Map(keys.map((key) => [keyIdOf(key), key]));
}
