// A public key in the form in which it is published: a document that the previous key has signed.
// docs/verifying.md describes it, so that others can verify it without Unwrite.
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readStrictJson } from '@unwrite/protocol';
import type { PublishedKey } from '../domain/keys/proof-key-ports.ts';

/** A digest of the key itself, so that another key cannot have the same id. */
export function keyIdOf(publicKey: KeyObject): string {
  const der = publicKey.export({ format: 'der', type: 'spki' });
  return createHash('sha256').update(der).digest('hex');
}

/** The form in which receipts and heads named their key before ids had 256 bits. */
export const shortIdOf = (keyId: string): string => keyId.slice(0, 16);

/** The text that is signed: lines that each end with a line feed. */
export function signedTextOf(key: Omit<PublishedKey, 'signature'>): Buffer {
  const der = createPublicKey(key.publicKey).export({ format: 'der', type: 'spki' });
  const lines = [
    'unwrite proof key 1',
    key.keyNo,
    key.keyId,
    der.toString('base64'),
    new Date(key.createdTime).toISOString(),
    key.previousKeyId ?? '-',
  ];
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}

export function keyShape(key: PublishedKey) {
  return {
    key_no: key.keyNo,
    key_id: key.keyId,
    algorithm: 'Ed25519',
    public_key: key.publicKey,
    created_time: new Date(key.createdTime).toISOString(),
    previous_key_id: key.previousKeyId,
    signature: Buffer.from(key.signature).toString('base64'),
  };
}

/** Several texts are the same key; this is the one that is published. */
const pemOf = (publicKey: KeyObject) =>
  publicKey.export({ format: 'pem', type: 'spki' }).toString();

/** Reads the answer of `GET /receipts/keys`. Throws if a key is not signed by the one before it, and says why. */
export function readPublishedKeys(text: string): string[] {
  const { keys, ...others } = readStrictJson(Buffer.from(text)) as {
    keys?: ReturnType<typeof keyShape>[];
  };
  if (Object.keys(others).length > 0) throw new Error('it has more members than "keys"');
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('it has no "keys"');
  let before: KeyObject | undefined;
  return keys.map((shape, index) => {
    const publicKey = createPublicKey(shape.public_key);
    const key: PublishedKey = {
      keyNo: shape.key_no,
      keyId: keyIdOf(publicKey),
      publicKey: pemOf(publicKey),
      createdTime: Date.parse(shape.created_time),
      previousKeyId: before === undefined ? null : keyIdOf(before),
      signature: Buffer.from(shape.signature, 'base64'),
    };
    const isInOrder = shape.key_no === index + 1 && shape.key_id === key.keyId;
    if (isInOrder && JSON.stringify(shape) !== JSON.stringify(keyShape(key))) {
      throw new Error(
        `key ${shape.key_no} is not as it was published: a member is missing, added, changed or in another place`,
      );
    }
    const signedBy = before ?? publicKey;
    if (!isInOrder || !verify(null, signedTextOf(key), signedBy, key.signature)) {
      throw new Error(`key ${shape.key_no} is not signed by the one before it`);
    }
    before = publicKey;
    return shape.public_key;
  });
}

/**
 * What is wrong with the published keys in the store, so that others could not verify them; undefined if
 * nothing is.
 */
export function chainProblem(keys: readonly PublishedKey[]): string | undefined {
  let before: PublishedKey | undefined;
  for (const [index, key] of keys.entries()) {
    if (key.keyNo !== index + 1) {
      return `key ${index + 1} of those that sign heads and receipts is missing in the store (table proof_keys), so that what it signed cannot be verified by "/receipts/keys"; put its row back from a backup`;
    }
    const signedBy = createPublicKey((before ?? key).publicKey);
    const isNext = key.previousKeyId === (before?.keyId ?? null);
    if (!isNext || !verify(null, signedTextOf(key), signedBy, key.signature)) {
      return `key ${key.keyNo} of those that sign heads and receipts is not signed by the one before it: "/receipts/keys" does not verify`;
    }
    before = key;
  }
  return undefined;
}
