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
  /** Made over the fields above by the previous key; the first key signs itself. */
  readonly signature: Uint8Array;
}

export interface ProofKeyStore {
  /** The keys whose MAC is valid, in order. */
  proofKeys(): Promise<PublishedKey[]>;
  /** If heads were signed with published keys: the time since which backups have the newest of them. */
  publishedSince(): Promise<number | null>;
  /** Adds the first key; keeps the existing one if there is one. */
  addFirstProofKey(key: PublishedKey): Promise<void>;
  /**
   * Publishes the key and replaces the previous private key, which is then gone. Runs in one transaction, and only
   * if the previous key is still the newest; returns whether it did.
   */
  replaceProofKey(
    key: PublishedKey,
    secret: { readonly name: string; readonly before: Uint8Array; readonly sealed: Uint8Array },
    by: Actor,
  ): Promise<boolean>;
}
