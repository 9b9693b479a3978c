// Heads in the store that Unwrite signed. Others will be set aside: a node must not remember one of them as the
// newest.
import { isOurHead } from '../../audit/authentic.ts';
import { hex } from '../../audit/chain.ts';
import { loadProofSigner, type ProofKeyParts } from '../../audit/proof-key.ts';
import type { AuditTree } from '../../domain/audit/proof-ports.ts';
import type { SealingHead } from '../../restore/follow-cancellations.ts';
import type { MasterKeyRing } from '../../vault/master-key.ts';
import { createSecretSealer } from '../../vault/seal-secret.ts';

export interface SignedHeadStore extends ProofKeyParts {
  readonly auditHeads: Pick<AuditTree, 'head'>;
}

export async function createSignedHead(
  store: SignedHeadStore,
  masterKeys: MasterKeyRing,
  now: number,
): Promise<(headNo: number) => Promise<SealingHead | undefined>> {
  const signer = await loadProofSigner(store, createSecretSealer(masterKeys), now);
  return async (headNo) => {
    const head = await store.auditHeads.head(headNo);
    if (head === undefined) return undefined;
    const isOurs = await signer.withNewestKeys(async () => isOurHead(head, signer.verify));
    const { lastAuditNo, time } = head;
    return isOurs ? { headNo, hash: hex(head.hash), time, lastAuditNo } : undefined;
  };
}
