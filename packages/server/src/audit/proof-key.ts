// The key that signs heads and receipts: Ed25519, made once, sealed in the store.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { ProofSigner, VerifySignature } from '../domain/audit/proof-ports.ts';
import type { OwnSecretStore, SecretSealer } from '../domain/keys/secret-ports.ts';

const NAME = 'proof signing key';
const CONTEXT = `own secret: ${NAME}`;

export async function loadProofSigner(
  store: OwnSecretStore,
  sealer: SecretSealer,
): Promise<ProofSigner> {
  if ((await store.ownSecret(NAME)) === undefined) {
    const { privateKey } = generateKeyPairSync('ed25519');
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    await store.addOwnSecret(NAME, sealer.seal(der, CONTEXT));
  }
  // Read again: another process may have been first.
  const sealed = await store.ownSecret(NAME);
  if (sealed === undefined) throw new Error('the key for proofs could not be kept');
  const key = Buffer.from(sealer.open(sealed, CONTEXT));
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  return {
    keyId: keyIdOf(publicKey),
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    sign: (bytes) => sign(null, bytes, privateKey),
  };
}

/** A digest of the key itself, so that an id cannot be given to another key. */
export function keyIdOf(publicKey: KeyObject): string {
  const der = publicKey.export({ format: 'der', type: 'spki' });
  return createHash('sha256').update(der).digest('hex').slice(0, 16);
}

/** PEM, as `unwrite audit key` prints it and the service publishes it. */
export function createSignatureVerifier(publicKeys: readonly string[]): VerifySignature {
  const keys = new Map(
    publicKeys.map((pem) => {
      const key = createPublicKey(pem);
      return [keyIdOf(key), key];
    }),
  );
  return (keyId, bytes, signature) => {
    const key = keys.get(keyId);
    return key !== undefined && verify(null, bytes, key, signature);
  };
}
