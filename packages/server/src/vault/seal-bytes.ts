// AES-256-GCM under a fresh key each time, wrapped by the master key. The context (whose data it is) is bound
// in, so that sealed bytes cannot be decrypted elsewhere.
import type { SealedBytes } from '../domain/task/fulfilment-ports.ts';
import { decrypt, encrypt, NONCE_BYTES } from './aes-gcm.ts';
import { createKeyPool, unwrapKey } from './key-pool.ts';
import type { MasterKeyRing } from './master-key.ts';
import { beforeSetAside } from './set-aside-key.ts';

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
    open({ sealed, ...key }, context) {
      const { masterKeyId, wrappedKey } = beforeSetAside(key);
      const masterKey = masterKeys.byId(masterKeyId);
      if (masterKey === undefined) throw new Error(`master key ${masterKeyId} is not available`);
      return openWith(unwrapKey(masterKey, wrappedKey), sealed, context);
    },
  };
}

/** Throws if the key or the context is not the one used for sealing. */
export function openWith(key: Buffer, sealed: Uint8Array, context: string): Buffer {
  return decrypt(key, ONLY_NONCE, sealed, Buffer.from(context));
}
