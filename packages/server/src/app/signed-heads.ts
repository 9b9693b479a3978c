// Heads of the store that we signed. What somebody else wrote is set aside soon: a node must not remember it as the newest.
import { isOurHead } from '../audit/authentic.ts';
import { hex } from '../audit/chain.ts';
import { createSignatureVerifier, loadProofSigner } from '../audit/proof-key.ts';
import type { AuditTree } from '../domain/audit/proof-ports.ts';
import type { OwnSecretStore } from '../domain/keys/secret-ports.ts';
import type { SignedHead } from '../restore/watch-store.ts';
import type { MasterKeyRing } from '../vault/master-key.ts';
import { createSecretSealer } from '../vault/seal-secret.ts';

export interface SignedHeadStore {
  readonly auditHeads: Pick<AuditTree, 'head'>;
  readonly ownSecrets: OwnSecretStore;
}

export async function createSignedHead(
  { auditHeads, ownSecrets }: SignedHeadStore,
  masterKeys: MasterKeyRing,
): Promise<SignedHead> {
  const { publicKey } = await loadProofSigner(ownSecrets, createSecretSealer(masterKeys));
  const verifySignature = createSignatureVerifier([publicKey]);
  return async (headNo) => {
    const head = await auditHeads.head(headNo);
    if (head === undefined || !isOurHead(head, verifySignature)) return undefined;
    return { headNo, hash: hex(head.hash), time: head.time };
  };
}
