// The master keys that this process holds, and where they come from: only their ids, never a key itself.

export interface MasterKeyAccess {
  /** The key that this process seals with. */
  currentId(): string;
  holds(masterKeyId: string): boolean;
  /** Puts a new key first in the key file and returns its id; null if keys come from the environment. */
  readonly addToFile: (() => string) | null;
  /** Does nothing if keys come from the environment. */
  removeFromFile(masterKeyId: string): void;
  /** Reads the keys again from their source. */
  reload(): void;
}
