// The master keys as this process holds them, and where they come from. Never a key itself: only ids.

export interface MasterKeyAccess {
  /** The one that this process seals with. */
  currentId(): string;
  holds(masterKeyId: string): boolean;
  /** Puts a new key first in the key file and answers its id; null where keys are given from outside. */
  readonly addToFile: (() => string) | null;
  /** Does nothing where keys are given from outside. */
  removeFromFile(masterKeyId: string): void;
  /** Reads them again where they came from. */
  reload(): void;
}
