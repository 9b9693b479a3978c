// Keys that must stay the same when the master key is rotated: created once, sealed, kept in the store.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { openSecret, secretContext } from '../domain/keys/open-secret.ts';
import type { OwnSecretStore, SecretSealer } from '../domain/keys/secret-ports.ts';
import { KEY_BYTES } from './aes-gcm.ts';

export type OwnSecretName = 'overwrite hashes';

export async function loadOwnSecret(
  store: OwnSecretStore,
  sealer: SecretSealer,
  name: OwnSecretName,
): Promise<KeyObject> {
  if ((await store.ownSecret(name)) === undefined) {
    await store.addOwnSecret(name, sealer.seal(randomBytes(KEY_BYTES), secretContext(name)));
  }
  // Read again: another process may have been first.
  const sealed = await store.ownSecret(name);
  if (sealed === undefined) throw new Error(`the key for ${name} could not be kept`);
  return createSecretKey(await openSecret(store, sealer, name, sealed));
}

/**
 * For `overwrite: { column: { hash: true } }`. Hashes of one target cannot be compared with those of
 * another.
 */
export function createOverwriteHash(key: KeyObject, target: string): (value: string) => string {
  return (value) => {
    const digest = createHmac('sha256', key).update(`${target}\0${value}`).digest();
    return `uw1:${digest.subarray(0, 16).toString('base64url')}`;
  };
}
