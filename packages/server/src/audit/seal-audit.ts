import type { AuditHead, AuditHeadStore, ProofSigner } from '../domain/proof-ports.ts';
import { digestRow, FIRST_PREVIOUS_HASH, hashHead, hashRows } from './chain.ts';

/** More than the busiest few seconds bring; the rest gets the next head. */
const MOST_ROWS = 50_000;

/** Covers the rows that have come since the last head, if any, by a new one. */
export function createSealAudit(store: AuditHeadStore, signer: ProofSigner) {
  return (now: number): AuditHead | undefined => {
    const last = store.lastHead();
    const rows = store.rowsAfter(last?.lastAuditNo ?? 0, MOST_ROWS);
    const [first, end] = [rows[0], rows.at(-1)];
    if (first === undefined || end === undefined) return undefined;
    const rowDigests = Buffer.concat(rows.map(digestRow));
    const unsigned = {
      headNo: (last?.headNo ?? 0) + 1,
      firstAuditNo: first.auditNo,
      lastAuditNo: end.auditNo,
      time: now,
      previousHash: last?.hash ?? FIRST_PREVIOUS_HASH,
      rowsHash: hashRows(rowDigests),
    };
    const hash = hashHead(unsigned);
    const head: AuditHead = {
      ...unsigned,
      rowDigests,
      hash,
      keyId: signer.keyId,
      signature: signer.sign(hash),
    };
    store.addHead(head);
    return head;
  };
}
