// What authenticates rows in tests that open a store without a vault: one key for all of them.
import { createSecretKey } from 'node:crypto';
import { createRowMacs, type RowMacs } from '../../../src/domain/keys/row-macs.ts';
import { createRowAuthenticator } from '../../../src/vault/authenticate-rows.ts';

const AUTHENTICATOR = createRowAuthenticator(createSecretKey(Buffer.alloc(32, 7)));

export function testMacs(): RowMacs {
  const macs = createRowMacs();
  macs.use(AUTHENTICATOR);
  return macs;
}

/** Gives it to a store that was opened. */
export function withTestMacs<T extends { readonly rowMacs: RowMacs }>(store: T): T {
  store.rowMacs.use(AUTHENTICATOR);
  return store;
}
