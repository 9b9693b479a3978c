// Signs answers off the main thread: an RSA signature takes a millisecond of a core.
import { type KeyObject, sign } from 'node:crypto';
import { createBoundedMap } from '../domain/bounded-map.ts';

/** Controllers poll: most status answers are the same bytes as the last time. About 10 MiB with RSA. */
const MAX_CACHED = 10_000;

export interface TextSigner {
  /**
   * Calls back with the signature in base64: SHA-256, PKCS#1 v1.5 for RSA, DER for P-256. `text` must be ASCII.
   * `isRepeatable`: the same text is likely to be signed again.
   */
  sign(
    text: string,
    isRepeatable: boolean,
    done: (error: Error | null, signature: string) => void,
  ): void;
}

export function createTextSigner(key: KeyObject): TextSigner {
  const cached = createBoundedMap<string, string>(MAX_CACHED);
  return {
    sign(text, isRepeatable, done) {
      const known = isRepeatable ? cached.get(text) : undefined;
      if (known !== undefined) {
        done(null, known);
        return;
      }
      sign('sha256', Buffer.from(text, 'latin1'), key, (error, bytes) => {
        if (error !== null) {
          done(error, '');
          return;
        }
        const signature = bytes.toString('base64');
        if (isRepeatable) cached.set(text, signature);
        done(null, signature);
      });
    },
  };
}
