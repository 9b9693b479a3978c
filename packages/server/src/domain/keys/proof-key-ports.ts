// The keys that sign heads and receipts, each signed by the one before it. All public keys stay published, so
// that everything they signed can be verified.
import type { Actor } from '../task/operator-ports.ts';

export interface PublishedKey {
  readonly keyNo: number;
  /** SHA-256 of the key, hexadecimal: 256 bits. */
  readonly keyId: string;
  /** PEM. */
  readonly publicKey: string;
  readonly createdTime: number;
  readonly previousKeyId: string | null;
  /** By the key before it, over what is above; by itself where it is the first. */
  readonly signature: Uint8Array;
}

export interface ProofKeyStore {
  /** Those that authenticate, in order. */
  proofKeys(): Promise<PublishedKey[]>;
  /** Where heads were signed with published keys: since when backups have the newest of them. */
  publishedSince(): Promise<number | null>;
  /** The first; where there is one already, it stays. */
  addFirstProofKey(key: PublishedKey): Promise<void>;
  /**
   * Publishes the key and puts its private half in the place of the one before, which is gone then. In one
   * transaction, and only where that one is still the newest; answers whether it did.
   */
  replaceProofKey(
    key: PublishedKey,
    secret: { readonly name: string; readonly before: Uint8Array; readonly sealed: Uint8Array },
    by: Actor,
  ): Promise<boolean>;
}
