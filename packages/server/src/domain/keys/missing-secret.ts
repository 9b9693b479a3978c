// A secret of our own that is gone while things made with it are still there. A new one would not match them:
// `seen` would deny what was erased, and heads would not verify. So none is made.

export interface MissingSecret {
  readonly name: string;
  /** When the oldest thing was made with it: backups made since then have it. */
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
