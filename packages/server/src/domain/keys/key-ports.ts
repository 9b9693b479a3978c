// Which master keys the store's contents are sealed under, and how they are moved from one to the next.
// Contains no keys, only ids.
import type { Actor } from '../task/operator-ports.ts';

export interface StoredMasterKey {
  readonly masterKeyId: string;
  readonly createdTime: number;
  /** Counter that grows with every key that is made or adopted: an order that does not depend on clocks. */
  readonly madeNo: number;
  /** Value of that counter when the server last adopted the key; null before. */
  readonly generation: number | null;
  /** Since when the server seals with it; null before. */
  readonly adoptedTime: number | null;
  /** Nothing is sealed under it any more; backups still need it. */
  readonly retiredTime: number | null;
  readonly destroyedTime: number | null;
  /** When removing it from its file last failed. */
  readonly undestroyedTime: number | null;
}

/** How much is sealed under a key. */
export interface SealedUnder {
  /** Descriptions for an operator who wants to destroy the key. */
  readonly list: readonly string[];
  /** Requests whose identities could not be opened without it. */
  readonly requests: number;
  /** All items: identities, intents, secrets of our own. */
  readonly things: number;
  /** Whether counting stopped at the limit. */
  readonly capped: boolean;
}

export interface WrappedKey {
  readonly masterKeyId: string;
  readonly wrappedKey: Uint8Array;
}

/** A wrapped key with the data that it seals and the owner, so that a damaged key can be recognised. */
export interface KeyInPlace extends WrappedKey {
  readonly sealed: Uint8Array;
  /** Null if the request does not exist any more. */
  readonly controllerId: string | null;
  readonly subjectRequestId: string | null;
  /** Target of an intent; null for other places. */
  readonly target: string | null;
}

/** The tables with wrapped keys. */
export const SEALED_PLACES = ['sealed_identities', 'added_identities', 'intents'] as const;
export type SealedPlace = (typeof SEALED_PLACES)[number];

export interface StoredSecret {
  readonly kind: 'own secret' | 'signing key';
  readonly name: string;
  readonly sealed: Uint8Array;
}

export interface MasterKeyStore {
  /** Oldest first. */
  masterKeys(): Promise<StoredMasterKey[]>;
  /** Makes and records the key in one transaction, so that two rotations do not lose each other's key. */
  add(makeKey: () => string, by: Actor): Promise<string>;
  /** Makes it the key that the server seals with. */
  adopt(masterKeyId: string, now: number): Promise<void>;
  /** Does so only if nothing is sealed under it and it is not the current key; returns whether it did. */
  retire(masterKeyId: string, now: number): Promise<boolean>;
  /** When it was retired according to the audit log; null if the log does not say so. */
  retiredByLog(key: Pick<StoredMasterKey, 'masterKeyId' | 'retiredTime'>): Promise<number | null>;
  /** Called when data sealed under a retired key was found, which has to be moved. */
  unretire(masterKeyId: string): Promise<void>;
  /** Removes the key and records that, if nothing is sealed under it and it is not the current key. */
  destroy(masterKeyId: string, remove: () => void, by: Actor): Promise<boolean>;
  /** Delays the next automatic attempt by a day. */
  putOffDestroying(masterKeyId: string, now: number): Promise<void>;
  /** `max`: how many of each place are counted, oldest first. */
  sealedUnder(masterKeyId: string, max?: number): Promise<SealedUnder>;
  /**
   * Moves the next keys of this place that are not under this master key, unless they changed meanwhile. Returns
   * where to continue; undefined at the end.
   */
  rewrap(
    place: SealedPlace,
    after: number,
    max: number,
    currentId: string,
    /** Undefined: the key cannot be decrypted, and is not changed. */
    rewrap: (key: KeyInPlace) => WrappedKey | undefined,
  ): Promise<number | undefined>;
  secrets(): Promise<StoredSecret[]>;
  /** Keeps a secret that cannot be decrypted under another name; it is neither moved nor counted any more. */
  setAside(secret: StoredSecret, now: number): Promise<void>;
  /** Does nothing if another process replaced it first. */
  replaceSecret(before: StoredSecret, sealed: Uint8Array): Promise<void>;
}
