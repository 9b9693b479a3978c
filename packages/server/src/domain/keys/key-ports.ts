// Which master keys the store's contents are sealed under, and how they are moved from one to the next.
// Contains no keys, only ids.
import type { Actor } from '../task/operator-ports.ts';

export interface StoredMasterKey {
  readonly masterKeyId: string;
  readonly createdTime: number;
  /** Counts on with every key that is made or taken up: an order that no clock can turn round. */
  readonly madeNo: number;
  /** The same, of the last time that the server took it up; null before. */
  readonly generation: number | null;
  /** Since when the server seals with it; null before. */
  readonly adoptedTime: number | null;
  /** Nothing is sealed under it any more; backups still need it. */
  readonly retiredTime: number | null;
  readonly destroyedTime: number | null;
  /** When it could last not be taken out of its file. */
  readonly undestroyedTime: number | null;
}

/** How much is sealed under a key. */
export interface SealedUnder {
  /** What, in words: for an operator who wants to destroy the key. */
  readonly list: readonly string[];
  /** Requests whose identities could not be opened without it. */
  readonly requests: number;
  /** All things: identities, intents, secrets of our own. */
  readonly things: number;
  /** There was more than was to be looked at. */
  readonly capped: boolean;
}

export interface WrappedKey {
  readonly masterKeyId: string;
  readonly wrappedKey: Uint8Array;
}

/** With what it seals, and whose that is: so that a damaged one is told from a sound one. */
export interface KeyInPlace extends WrappedKey {
  readonly sealed: Uint8Array;
  /** Null where the request is not there any more. */
  readonly controllerId: string | null;
  readonly subjectRequestId: string | null;
  /** Target of an intent; null for other places. */
  readonly target: string | null;
}

/** Where wrapped keys are. */
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
  /** In one transaction, so that two rotations do not lose each other's key: makes it, and records it. */
  add(makeKey: () => string, by: Actor): Promise<string>;
  /** From now on the server seals with it. */
  adopt(masterKeyId: string, now: number): Promise<void>;
  /** Where nothing is sealed under it, and it is not the current one; answers whether it did. */
  retire(masterKeyId: string, now: number): Promise<boolean>;
  /** When it was retired; null where the audit log does not say so. */
  retiredByLog(key: Pick<StoredMasterKey, 'masterKeyId' | 'retiredTime'>): Promise<number | null>;
  /** Something turned up under a retired key: it is to be moved. */
  unretire(masterKeyId: string): Promise<void>;
  /** Where nothing is sealed under it, and it is not the current one: removes it, and records that. */
  destroy(masterKeyId: string, remove: () => void, by: Actor): Promise<boolean>;
  /** It is not tried again by itself for a day. */
  putOffDestroying(masterKeyId: string, now: number): Promise<void>;
  /** `most`: so many of each place are looked at, the oldest. */
  sealedUnder(masterKeyId: string, max?: number): Promise<SealedUnder>;
  /**
   * Moves the next so many in this place that are not under this key, unless they were changed
   * meanwhile. Answers where to go on; undefined at the end.
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
  /** One that cannot be opened: kept under another name, and neither moved nor counted any more. */
  setAside(secret: StoredSecret, now: number): Promise<void>;
  /** Unless another was faster. */
  replaceSecret(before: StoredSecret, sealed: Uint8Array): Promise<void>;
}
