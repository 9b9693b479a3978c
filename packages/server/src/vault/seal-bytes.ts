// AES-256-GCM under a fresh key each time, wrapped by the master key. The context (whose it is) is
// bound in, so that sealed bytes moved elsewhere do not open.
import type { SealedBytes } from '../domain/task/fulfilment-ports.ts';
import { decrypt, encrypt, NONCE_BYTES } from './aes-gcm.ts';
import { createKeyPool, unwrapKey } from './key-pool.ts';
import type { MasterKeyRing } from './master-key.ts';

export interface ByteVault {
  seal(plain: Uint8Array, context: string): SealedBytes;
  open(sealed: SealedBytes, context: string): Buffer;
}

/** A fresh key encrypts once, so its nonce need not be random. */
const ONLY_NONCE = Buffer.alloc(NONCE_BYTES);

export function createByteVault(masterKeys: MasterKeyRing): ByteVault {
  let poolOf = masterKeys.current;
  let freshKey = createKeyPool(poolOf);

  return {
    seal(plain, context) {
      const { current } = masterKeys;
      if (current !== poolOf) {
        poolOf = current;
        freshKey = createKeyPool(current);
      }
      const { key, wrappedKey } = freshKey();
      const sealed = encrypt(key, ONLY_NONCE, plain, Buffer.from(context));
      key.fill(0);
      return { masterKeyId: current.id, wrappedKey, sealed };
    },
    open({ masterKeyId, wrappedKey, sealed }, context) {
      const masterKey = masterKeys.byId(masterKeyId);
      if (masterKey === undefined) throw new Error(`master key ${masterKeyId} is not available`);
      return decrypt(unwrapKey(masterKey, wrappedKey), ONLY_NONCE, sealed, Buffer.from(context));
    },
  };
}
