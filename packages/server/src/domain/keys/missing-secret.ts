// A secret of the installation is missing while data that was made with it still exists. A new secret would not
// match: `seen` would deny what was erased, and heads would not verify. So none is made.

export interface MissingSecret {
  readonly name: string;
  /** When the oldest data was made with it: backups made since then contain it. */
  readonly since: number;
}

export class SecretMissing extends Error {
  override readonly name = 'SecretMissing';

  constructor(missing: readonly MissingSecret[]) {
    const names = missing.map(({ name }) => `"${name}"`).join(', ');
    const since = new Date(Math.max(...missing.map((it) => it.since))).toISOString();
    super(
      `the store has lost secrets of its own (${names}), with which audit heads, digests or erased values were made; new ones would not match. Put the rows of these names back into the table own_secrets, from any backup of this store that was made after ${since}, and start again: docs/forgetting.md, "A secret of our own is missing"`,
    );
  }
}

const PUT_BACK = 'and start again: docs/forgetting.md, "A secret of our own is missing"';

const backupAfter = (since: number | null) =>
  since === null
    ? 'from a backup of this store'
    : `from a backup of this store that was made after ${new Date(since).toISOString()}`;

/** A required secret exists but cannot be decrypted; a new one would not match the data that was made with it. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';

  constructor(secret: string, since: number | null) {
    super(
      `the secret "${secret}" of this store (table own_secrets) cannot be opened: this node does not have its master key, or it was changed or damaged. If a master key was rotated, give this node the keys that the others have. Otherwise put the row of this name back ${backupAfter(since)}, ${PUT_BACK}`,
    );
  }
}

/** A replaced secret is back in the store: from an old backup, or written by someone with access to the store. */
export class SecretOutdated extends Error {
  override readonly name = 'SecretOutdated';

  constructor(secret: string, what: string, since: number) {
    super(
      `the secret "${secret}" of this store (table own_secrets) is an older one than the store knows: ${what}. Nothing is made with it. Put the row of this name back ${backupAfter(since)}, ${PUT_BACK}`,
    );
  }
}

/** The public keys of heads and receipts are missing, so it is unknown which key is the newest. */
export class ProofKeysMissing extends Error {
  override readonly name = 'ProofKeysMissing';

  constructor(since: number) {
    super(
      `the store has lost the keys that verify heads and receipts (table proof_keys): its rows are gone, or none of them is ours. Nothing is signed. Put all rows of this table back ${backupAfter(since)}, ${PUT_BACK}`,
    );
  }
}

/** Whether something has to be restored from a backup; the message says what. */
export function isToPutBack(error: unknown): error is Error {
  return [SecretMissing, SecretUnreadable, SecretOutdated, ProofKeysMissing].some(
    (kind) => error instanceof kind,
  );
}
