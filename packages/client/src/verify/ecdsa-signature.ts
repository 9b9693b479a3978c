// WebCrypto takes two numbers of 32 bytes; signatures of others are DER.
import type { Bytes } from './bytes.ts';

const SIZE = 32;

/** SEQUENCE { INTEGER r, INTEGER s }, in the only way that DER allows; undefined otherwise. */
export function rawEcdsaSignature(der: Uint8Array): Bytes | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined;
  const raw = new Uint8Array(2 * SIZE);
  let at = 2;
  for (const end of [SIZE, 2 * SIZE]) {
    const length = der[at + 1] ?? 0;
    const number = der.subarray(at + 2, at + 2 + length);
    const [first = 0x80, second = 0] = number;
    // Positive, and a zero in front only where the number would be negative without it.
    const isMinimal = first < 0x80 && (first > 0 || second >= 0x80);
    if (der[at] !== 0x02 || length === 0 || number.length !== length || !isMinimal)
      return undefined;
    const digits = first === 0 ? number.subarray(1) : number;
    if (digits.length > SIZE) return undefined;
    raw.set(digits, end - digits.length);
    at += 2 + length;
  }
  return at === der.length ? raw : undefined;
}
