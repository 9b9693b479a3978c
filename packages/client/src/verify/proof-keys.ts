// The keys that sign receipts and heads of the audit log.

import type { PublicKey } from './public-key.ts';
import { importPublicKey } from './public-key.ts';
import { readPublishedKeys } from './published-keys.ts';

export interface ProofKeys {
  /** By the id that a document names. */
  find(keyId: unknown): PublicKey | undefined;
}

const PEM_BLOCKS = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

/**
 * From one or more keys in PEM (`GET /receipts/key`), or from the JSON text of `GET /receipts/keys`, in which each key
 * must be signed by the one before it: then `first` is the id of the first key, if you have kept it.
 */
export async function createProofKeys(
  keys: string | readonly string[],
  options: { readonly first?: string } = {},
): Promise<ProofKeys> {
  const texts = typeof keys === 'string' ? [keys] : keys;
  const known = new Map<string, PublicKey>();
  for (const text of texts) {
    const pems = text.trimStart().startsWith('{')
      ? await readPublishedKeys(text, options)
      : (text.match(PEM_BLOCKS) ?? [text]);
    for (const pem of pems) {
      const key = await importPublicKey(pem);
      known.set(key.keyId, key);
    }
  }
  return { find: (keyId) => (typeof keyId === 'string' ? known.get(keyId) : undefined) };
}
