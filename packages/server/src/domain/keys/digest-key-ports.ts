// The keys of identity digests: each has a period, and is destroyed when no digest of it is left.
import type { Actor } from '../task/operator-ports.ts';

export interface StoredDigestKey {
  readonly name: string;
  readonly sealed: Uint8Array;
}

/** Which digests a key has made: those that begin with these bytes; null: those from before keys had periods. */
export type DigestRange = { readonly from: Uint8Array; readonly until: Uint8Array } | null;

export interface DigestKeyStore {
  /** All that are kept, in no order. */
  digestKeys(): Promise<StoredDigestKey[]>;
  /**
   * A new key takes the place of the current one, which is kept under a name of its own. In one transaction, and
   * only where it is still the current one; answers whether it did.
   */
  replaceDigestKey(
    current: { readonly name: string; readonly before: Uint8Array; readonly sealed: Uint8Array },
    ended: StoredDigestKey,
    by: Actor,
  ): Promise<boolean>;
  /** Where no digest of it is left; answers whether it did. */
  destroyDigestKey(name: string, range: DigestRange, by: Actor): Promise<boolean>;
}
