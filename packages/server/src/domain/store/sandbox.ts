// A sandbox's store is marked: nothing in it is real. The mark is a secret of our own, so that it is kept, copied and
// sealed anew like the others, and receipts are marked by the store that they come from, not by a setting.
import type { OwnSecretStore } from '../keys/secret-ports.ts';

export const SANDBOX_MARK = 'sandbox';

export async function isSandboxStore(
  ownSecrets: Pick<OwnSecretStore, 'ownSecret'>,
): Promise<boolean> {
  return (await ownSecrets.ownSecret(SANDBOX_MARK)) !== undefined;
}

/** The store is a sandbox's and this is not, or the other way round. */
export class StoreOfAnotherKind extends Error {
  override readonly name = 'StoreOfAnotherKind';

  constructor(isSandbox: boolean) {
    super(
      isSandbox
        ? 'the store is that of a sandbox, in which nothing is erased: start with --sandbox (UNWRITE_SANDBOX), or give another data_dir or store'
        : 'the store is not that of a sandbox, and a sandbox would report people as erased who are not: start without --sandbox (UNWRITE_SANDBOX), or give another data_dir or store',
    );
  }
}
