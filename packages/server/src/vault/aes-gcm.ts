// AES-256-GCM with the tag after the ciphertext. It encrypts byte by byte, so `final` gives no more bytes: it makes the
// tag, or checks it.
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const TAG_BYTES = 16;

export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;

export function encrypt(
  key: KeyObject | Buffer,
  nonce: Buffer,
  plain: Uint8Array,
  context: Buffer,
): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  cipher.setAAD(context);
  const body = cipher.update(plain);
  cipher.final();
  return Buffer.concat([body, cipher.getAuthTag()]);
}

/** Throws if key, context or bytes differ from those of `encrypt`. */
export function decrypt(
  key: KeyObject | Buffer,
  nonce: Uint8Array,
  sealed: Uint8Array,
  context: Buffer,
): Buffer {
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(context);
  decipher.setAuthTag(sealed.subarray(end));
  const plain = decipher.update(sealed.subarray(0, end));
  decipher.final();
  return plain;
}
