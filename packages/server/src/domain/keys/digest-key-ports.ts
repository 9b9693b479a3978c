// The keys of identity digests. Each is used for a period, and destroyed when none of its digests is left.
import type { Actor } from '../task/operator-ports.ts';

export interface StoredDigestKey {
  readonly name: string;
  readonly sealed: Uint8Array;
}

/** The digests that a key made begin with these bytes; null for digests from before keys had periods. */
export type DigestRange = { readonly from: Uint8Array; readonly until: Uint8Array } | null;

export interface DigestKeyStore {
  /** All stored keys, in no particular order. */
  digestKeys(): Promise<StoredDigestKey[]>;
  /**
   * Replaces the current key, which is kept under its own name. Runs in one transaction, and only if that key is
   * still current; returns whether it did.
   */
  replaceDigestKey(
    current: { readonly name: string; readonly before: Uint8Array; readonly sealed: Uint8Array },
    ended: StoredDigestKey,
    by: Actor,
  ): Promise<boolean>;
  /** Does so only if none of the key's digests is left; returns whether it did. */
  destroyDigestKey(name: string, range: DigestRange, by: Actor): Promise<boolean>;
}
