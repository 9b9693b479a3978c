// Signs closing statements of controllers.
import type { Config } from '../../config/config.ts';
import type { ClosingFacts } from '../../domain/receipt/closing.ts';
import { isSandboxStore } from '../../domain/store/sandbox.ts';
import type { Store } from '../../domain/store/store.ts';
import { makeClosingStatement } from '../../receipts/closing-statement.ts';
import type { MasterKeyRing } from '../../vault/master-key.ts';
import { openProof } from './proof.ts';

export async function openClosing(
  store: Store,
  ring: MasterKeyRing,
  config: Pick<Config, 'domain' | 'retentionRecords'>,
): Promise<(facts: ClosingFacts) => string> {
  const { signer } = await openProof(store, ring, config.domain, {
    writeDownHead: async () => undefined,
    witnessFile: undefined,
    log: () => undefined,
  });
  const parts = {
    signer,
    domain: config.domain,
    isSandbox: await isSandboxStore(store.ownSecrets),
    retentionMs: config.retentionRecords * 1000,
  };
  return (facts) => makeClosingStatement(parts, facts, store.clock());
}
