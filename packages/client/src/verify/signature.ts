import { fromBase64, utf8 } from './bytes.ts';
import { importPublicKey, type PublicKey } from './public-key.ts';

/**
 * Whether the value of `X-OpenDSR-Signature` was made over exactly these bytes with this key (PEM, or imported). False
 * also where it is not canonical base64.
 */
export async function verifySignature(
  body: Uint8Array | string,
  signature: string,
  publicKey: PublicKey | string,
): Promise<boolean> {
  const key = typeof publicKey === 'string' ? await importPublicKey(publicKey) : publicKey;
  const decoded = fromBase64(signature.trim());
  if (decoded === undefined) return false;
  return key.verify(typeof body === 'string' ? utf8(body) : body, decoded);
}
