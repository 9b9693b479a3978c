// Public keys of the three kinds that sign something: RSA and P-256 sign answers, Ed25519 signs receipts.
import { type Bytes, fromBase64, joined, sha256, toHex } from './bytes.ts';
import { rawEcdsaSignature } from './ecdsa-signature.ts';
import { NotVerifiedError } from './not-verified.ts';

export interface PublicKey {
  readonly kind: 'RSA' | 'P-256' | 'Ed25519';
  /** SHA-256 of the key in DER (SubjectPublicKeyInfo), in hexadecimal. */
  readonly keyId: string;
  /** Whether this key has signed these bytes: PKCS#1 v1.5 or DER-encoded ECDSA, both with SHA-256, or Ed25519. */
  verify(bytes: Uint8Array, signature: Uint8Array): Promise<boolean>;
}

const MIN_RSA_BITS = 2048;

const KINDS = [
  {
    kind: 'RSA',
    object: '2a864886f70d010101',
    algorithm: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  },
  {
    kind: 'P-256',
    object: '2a8648ce3d020106082a8648ce3d030107',
    algorithm: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  },
  { kind: 'Ed25519', object: '2b6570', algorithm: { name: 'Ed25519' } },
] as const;

/** SEQUENCE of a SEQUENCE that begins with an object identifier, whose length is one byte. */
const BEGINNING = /^30(?:[0-7].|81..|82....)30[0-7].06(..)(.*)/;

/** PEM ("BEGIN PUBLIC KEY") or DER of a SubjectPublicKeyInfo. Throws NotVerifiedError where it is not one of ours. */
export async function importPublicKey(key: string | Uint8Array): Promise<PublicKey> {
  const der = typeof key === 'string' ? derIn(key) : joined(key);
  const [, , object = ''] = BEGINNING.exec(toHex(der.subarray(0, 48))) ?? [];
  const found = KINDS.find((it) => object.startsWith(it.object));
  if (found === undefined) {
    throw new NotVerifiedError('the public key must be an RSA, P-256 or Ed25519 key');
  }
  const { kind, algorithm } = found;
  const imported = await importKey(der, algorithm);
  return {
    kind,
    keyId: toHex(await sha256(der)),
    verify: async (bytes, signature) => {
      const raw = kind === 'P-256' ? rawEcdsaSignature(signature) : joined(signature);
      return raw !== undefined && crypto.subtle.verify(algorithm, imported, raw, joined(bytes));
    },
  };
}

async function importKey(der: Bytes, algorithm: (typeof KINDS)[number]['algorithm']) {
  const imported = await crypto.subtle
    .importKey('spki', der, algorithm, false, ['verify'])
    .catch(() => {
      throw new NotVerifiedError(
        `the public key is damaged, or this platform has no ${algorithm.name}`,
      );
    });
  const { modulusLength = MIN_RSA_BITS } = imported.algorithm as { modulusLength?: number };
  if (modulusLength < MIN_RSA_BITS) {
    throw new NotVerifiedError(`an RSA key must have at least ${MIN_RSA_BITS} bits`);
  }
  return imported;
}

const PEM = /^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*$/;

function derIn(pem: string): Bytes {
  const [, content] = PEM.exec(pem) ?? [];
  const der = content === undefined ? undefined : fromBase64(content.replace(/\s/g, ''));
  if (der !== undefined) return der;
  throw new NotVerifiedError('the public key must be one block of PEM that begins with PUBLIC KEY');
}
