import { SecretUnreadable } from './missing-secret.ts';
import type { OwnSecretStore, SecretSealer } from './secret-ports.ts';

/** Sealed into each secret with its name, so that one secret cannot be used in place of another. */
export const secretContext = (name: string): string => `own secret: ${name}`;

/** Decrypts a secret that must exist: if it cannot be decrypted, the error says which backup has it. */
export async function openSecret(
  store: Pick<OwnSecretStore, 'madeWith'>,
  sealer: SecretSealer,
  name: string,
  sealed: Uint8Array,
): Promise<Uint8Array> {
  try {
    return sealer.open(sealed, secretContext(name));
  } catch {
    throw new SecretUnreadable(name, await store.madeWith(name));
  }
}
