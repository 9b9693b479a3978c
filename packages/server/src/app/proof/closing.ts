// Signs closing statements of controllers.
import type { Config } from '../../config/config.ts';
import { type HeadDocument, NoProof } from '../../domain/audit/proof-documents.ts';
import type { ClosingFacts } from '../../domain/receipt/closing.ts';
import { isSandboxStore } from '../../domain/store/sandbox.ts';
import type { Store } from '../../domain/store/store.ts';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { makeClosingStatement } from '../../receipts/closing-statement.ts';
import type { MasterKeyRing } from '../../vault/master-key.ts';
import { openProof } from './proof.ts';

/** Throws NotPossible until the log is sealed up to the last row about the controller. */
export async function openClosing(
  store: Store,
  ring: MasterKeyRing,
  config: Pick<Config, 'domain' | 'retentionRecords'>,
): Promise<(facts: ClosingFacts) => Promise<string>> {
  const { signer, proofs } = await openProof(store, ring, config.domain);
  const parts = {
    signer,
    domain: config.domain,
    isSandbox: await isSandboxStore(store.ownSecrets),
    retentionMs: config.retentionRecords * 1000,
  };

  async function newestHead(): Promise<HeadDocument | undefined> {
    try {
      return await proofs.newestHead();
    } catch (error) {
      if (error instanceof NoProof) return undefined;
      throw error;
    }
  }

  return async (facts) => {
    const head = await newestHead();
    if (head === undefined || head.last_audit_no < facts.lastAuditNo) {
      throw new NotPossible(
        `the audit log is not sealed yet up to the last row about controller ${facts.controllerId}: a running server seals it within seconds; ask again then`,
      );
    }
    return makeClosingStatement(parts, facts, head, store.clock());
  };
}
