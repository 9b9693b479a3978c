// Composes an export of evidence: the archive, the receipts and the signature.
import { keyShape } from '../../audit/published-key.ts';
import type { Config } from '../../config/config.ts';
import type { Store } from '../../domain/store/store.ts';
import type { Actor } from '../../domain/task/operator-ports.ts';
import { createZip } from '../../files/zip.ts';
import {
  type Exported,
  type ExportQuery,
  exportEvidence,
} from '../../operator/export/export-evidence.ts';
import { signDocument, writeCanonical } from '../../receipts/canonical.ts';
import { renderReceipt } from '../../receipts/render-receipt.ts';
import type { Proof } from '../proof/proof.ts';

interface Parts {
  readonly store: Store;
  readonly proof: Proof;
  readonly config: Pick<Config, 'dataDir' | 'domain'>;
}

export async function exportArchive(
  { store, proof, config }: Parts,
  query: ExportQuery,
  write: (bytes: Uint8Array) => Promise<void>,
  by: Actor,
): Promise<Exported> {
  const { signer, receipts } = proof;
  const zip = await createZip(config.dataDir, by.now, write);
  try {
    return await exportEvidence(
      {
        store,
        domain: config.domain,
        issue: (request) => receipts.receiptsOf(request, store.clock()),
        render: async (document) => renderReceipt(document),
        // Read last, so that the newest key is among them.
        keys: () =>
          signer.withNewestKeys(async () =>
            writeCanonical({ keys: signer.published.map(keyShape) }),
          ),
        sign: (document) =>
          signer.withNewestKeys(async () => {
            if (signer.unusable !== undefined) throw signer.unusable;
            return signDocument({ ...document, key_id: signer.keyId }, signer);
          }),
      },
      query,
      zip,
      by,
    );
  } finally {
    await zip.close();
  }
}
