// Seals small secrets of the installation (private signing keys) directly with the master key. The id of the
// master key is their prefix, so that the right key can be found after a rotation.
import { randomBytes } from 'node:crypto';
import type { SecretSealer } from '../domain/keys/secret-ports.ts';
import { decrypt, encrypt, NONCE_BYTES } from './aes-gcm.ts';
import type { MasterKeyRing } from './master-key.ts';

const ID_BYTES = 8;

export function createSecretSealer(masterKeys: MasterKeyRing): SecretSealer {
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const { id, sealingKey } = masterKeys.current;
      const body = encrypt(sealingKey, nonce, plain, Buffer.from(context));
      return Buffer.concat([Buffer.from(id, 'hex'), nonce, body]);
    },
    open(sealed, context) {
      const id = sealedUnderId(sealed);
      const masterKey = masterKeys.byId(id);
      if (masterKey === undefined) throw new Error(`master key ${id} is not available`);
      const nonce = sealed.subarray(ID_BYTES, ID_BYTES + NONCE_BYTES);
      return decrypt(
        masterKey.sealingKey,
        nonce,
        sealed.subarray(ID_BYTES + NONCE_BYTES),
        Buffer.from(context),
      );
    },
  };
}

/** The id of the master key with which a secret was sealed. */
export function sealedUnderId(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(0, ID_BYTES)).toString('hex');
}
