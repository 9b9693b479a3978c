// Digest keys have a period: new digests are made with the current key, lookups use all keys. When the last
// record of a period is forgotten, its key is destroyed: then no guess can be tested any more, not even against
// digests in an old backup once the master key of that time is destroyed.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type {
  DigestKeyStore,
  DigestRange,
  StoredDigestKey,
} from '../domain/keys/digest-key-ports.ts';
import { SecretOutdated } from '../domain/keys/missing-secret.ts';
import { openSecret, secretContext } from '../domain/keys/open-secret.ts';
import type { OwnSecretStore, SecretSealer } from '../domain/keys/secret-ports.ts';
import type { Identity } from '../domain/request/identity.ts';
import type { ControllerId } from '../domain/tenant/controller-id.ts';
import { KEY_BYTES } from './aes-gcm.ts';
import { createIdentityDigest, type DigestIdentity } from './digest-identities.ts';

const NAME = 'identity digests';
/** Number, begin and end follow the key; keys from before there were periods have none of them. */
const SEALED_BYTES = KEY_BYTES + 3 * 8;

interface DigestKey {
  readonly name: string;
  readonly sealed: Uint8Array;
  readonly key: Buffer;
  /** 0 for the key from before there were periods. */
  readonly no: number;
  readonly from: number;
  /** 0 while it is the current one. */
  readonly until: number;
}

export interface DigestKeyParts {
  readonly ownSecrets: OwnSecretStore;
  readonly digestKeys: DigestKeyStore;
}

export interface DigestKeys {
  /** Digests with the current key. */
  readonly digest: DigestIdentity;
  /** Digests with all existing keys, for lookups. */
  digestAll(controllerId: ControllerId, identity: Identity): Uint8Array[];
  /** The same, but empty if there is only one key: stored digests were then made with it, too. */
  digestAcross(controllerId: ControllerId, identity: Identity): Uint8Array[];
  /** Reads the keys again: another process may have replaced or destroyed some. */
  refresh(): Promise<void>;
  /** Replaces a key whose period has ended, and destroys keys that have no digests left. */
  maintain(periodMs: number, retentionMs: number, now: number): Promise<void>;
}

export async function loadDigestKeys(
  { ownSecrets, digestKeys: store }: DigestKeyParts,
  sealer: SecretSealer,
  now: number,
  /** A key of an ended period that cannot be decrypted is left out, and blocks nothing else. */
  unreadable: (key: StoredDigestKey) => void | Promise<void> = () => undefined,
): Promise<DigestKeys> {
  if ((await ownSecrets.ownSecret(NAME)) === undefined) {
    const first = { key: randomBytes(KEY_BYTES), no: 1, from: now, until: 0 };
    await ownSecrets.addOwnSecret(NAME, seal(first, NAME));
  }
  let keys: DigestKey[] = [];
  let digests: { readonly key: DigestKey; readonly digest: DigestIdentity }[] = [];
  await refresh();

  function seal(key: Pick<DigestKey, 'key' | 'no' | 'from' | 'until'>, name: string): Uint8Array {
    const times = Buffer.alloc(3 * 8);
    for (const [at, value] of [key.no, key.from, key.until].entries()) {
      times.writeBigUInt64BE(BigInt(Math.trunc(value)), at * 8);
    }
    return sealer.seal(Buffer.concat([key.key, times]), secretContext(name));
  }

  async function open(stored: StoredDigestKey): Promise<DigestKey | undefined> {
    const { name, sealed } = stored;
    if (name === NAME) return read(stored, await openSecret(ownSecrets, sealer, name, sealed));
    try {
      return read(stored, sealer.open(sealed, secretContext(name)));
    } catch {
      await unreadable(stored);
      return undefined;
    }
  }

  async function refresh(): Promise<void> {
    const opened: DigestKey[] = [];
    for (const stored of await store.digestKeys()) {
      const key = await open(stored);
      if (key !== undefined) opened.push(key);
    }
    keys = opened.sort((a, b) => a.no - b.no);
    requireNewest(keys);
    digests = keys.map((key) => ({ key, digest: numbered(key) }));
  }

  const current = () => {
    const found = digests.find(({ key }) => key.name === NAME);
    if (found === undefined) throw new Error('the key of identity digests is missing');
    return found;
  };

  async function replace(key: DigestKey, now: number): Promise<void> {
    const name = `${NAME} ${key.no}`;
    const next = { key: randomBytes(KEY_BYTES), no: key.no + 1, from: now, until: 0 };
    const ended = { name, sealed: seal({ ...key, until: now }, name) };
    const place = { name: NAME, before: key.sealed, sealed: seal(next, NAME) };
    await store.replaceDigestKey(place, ended, { actor: 'system', now });
  }

  return {
    digest: (controllerId, identity) => current().digest(controllerId, identity),
    digestAll: (controllerId, identity) =>
      digests.map(({ digest }) => digest(controllerId, identity)),
    digestAcross: (controllerId, identity) =>
      digests.length < 2 ? [] : digests.map(({ digest }) => digest(controllerId, identity)),
    refresh,
    async maintain(periodMs, retentionMs, now) {
      await refresh();
      const { key } = current();
      if (key.from + periodMs <= now) await replace(key, now);
      // Records are kept for that long after they are final, so before that time some digests certainly
      // remain.
      const over = keys.filter(({ name, until }) => name !== NAME && until + retentionMs <= now);
      for (const { name, no } of over) {
        await store.destroyDigestKey(name, rangeOf(no), { actor: 'system', now });
      }
      await refresh();
    },
  };
}

function read({ name, sealed }: StoredDigestKey, opened: Uint8Array): DigestKey {
  const plain = Buffer.from(opened);
  const key = plain.subarray(0, KEY_BYTES);
  if (plain.length < SEALED_BYTES) return { name, sealed, key, no: 0, from: 0, until: 0 };
  const at = (place: number) => Number(plain.readBigUInt64BE(KEY_BYTES + place * 8));
  return { name, sealed, key, no: at(0), from: at(1), until: at(2) };
}

/** If a replaced key were put back, everything erased since would be hidden: its successor is gone. */
function requireNewest(keys: readonly DigestKey[]): void {
  const current = keys.find(({ name }) => name === NAME);
  const ended = keys.filter(({ name }) => name !== NAME);
  const later = current && ended.find(({ no }) => no >= current.no);
  if (later === undefined) return;
  const since = Math.max(...ended.map(({ until }) => until));
  throw new SecretOutdated(NAME, `the period of "${later.name}" has ended`, since);
}

/** A digest says which key made it, so that it is known when none of a key's digests are left. */
function numbered({ key, no }: DigestKey): DigestIdentity {
  const digest = createIdentityDigest(createSecretKey(key));
  if (no === 0) return digest;
  const prefix = prefixOf(no);
  return (controllerId, identity) => Buffer.concat([prefix, digest(controllerId, identity)]);
}

const MARK = createHmac('sha256', 'unwrite').update('numbered digest').digest().subarray(0, 4);

function prefixOf(no: number): Buffer {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(no);
  return Buffer.concat([MARK, number]);
}

function rangeOf(no: number): DigestRange {
  return no === 0 ? null : { from: prefixOf(no), until: prefixOf(no + 1) };
}
