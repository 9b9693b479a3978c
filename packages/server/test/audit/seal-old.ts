// Seals as versions before the tree did, to show that their heads still verify.
import { digestRows, FIRST_PREVIOUS_HASH, hashHead, hashRows } from '../../src/audit/chain.ts';
import type { AuditHead, AuditHeadStore, ProofSigner } from '../../src/domain/audit/proof-ports.ts';

export async function sealOld(
  store: AuditHeadStore,
  signer: ProofSigner,
  now: number,
): Promise<AuditHead> {
  await store.numberRows(1e6);
  const last = await store.lastHead();
  const firstAuditNo = (last?.lastAuditNo ?? 0) + 1;
  const rows = await store.rows(firstAuditNo, 1e9);
  const rowDigests = digestRows(rows, firstAuditNo);
  const unsigned = {
    headNo: (last?.headNo ?? 0) + 1,
    firstAuditNo,
    time: now,
    lastAuditNo: rows.at(-1)?.auditNo ?? 0,
    previousHash: last?.hash ?? FIRST_PREVIOUS_HASH,
    rowsHash: hashRows(rowDigests),
  };
  const hash = hashHead(unsigned);
  const head: AuditHead = {
    ...unsigned,
    hash,
    keyId: signer.keyId,
    signature: signer.sign(hash),
    rowDigests,
    version: 1,
    treeFirst: null,
    saltSeed: null,
  };
  if (!(await store.addHead(head, []))) throw new Error('another was first');
  return head;
}
