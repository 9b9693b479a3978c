import type { AuditHead, AuditHeadStore, ProofSigner } from '../domain/audit/proof-ports.ts';
import { digestRows, FIRST_PREVIOUS_HASH, hashHead, hashRows } from './chain.ts';

/** More than the busiest few seconds bring; the rest gets the next head. */
const MOST_ROWS = 50_000;

/** So many rows are missing that this is no log of ours: "unwrite audit verify" says where. */
export class AuditGap extends Error {
  override readonly name = 'AuditGap';
}

/** Rows that were gone before they were sealed. */
export interface Sealed {
  readonly head: AuditHead;
  readonly missingRows: number;
}

/** Covers the rows that have come since the last head, if any, by a new one. */
export function createSealAudit(store: AuditHeadStore, signer: ProofSigner) {
  return async (now: number): Promise<Sealed | undefined> => {
    await store.numberRows(MOST_ROWS);
    const last = await store.lastHead();
    const firstAuditNo = (last?.lastAuditNo ?? 0) + 1;
    // By numbers, not by count: a row with a number far beyond must not make a head of that length.
    const rows = await store.rows(firstAuditNo, firstAuditNo + MOST_ROWS - 1);
    const lastAuditNo = rows.at(-1)?.auditNo;
    if (lastAuditNo === undefined) {
      const [beyond] = await store.rowsAfter(firstAuditNo, 1);
      // A nearer one has come between the two questions: it is for the next head.
      if (beyond === undefined || beyond.auditNo < firstAuditNo + MOST_ROWS) return undefined;
      throw new AuditGap(`the row after ${firstAuditNo - 1} is ${beyond.auditNo}`);
    }
    const rowDigests = digestRows(rows, firstAuditNo);
    const unsigned = {
      headNo: (last?.headNo ?? 0) + 1,
      firstAuditNo,
      lastAuditNo,
      time: now,
      previousHash: last?.hash ?? FIRST_PREVIOUS_HASH,
      rowsHash: hashRows(rowDigests),
    };
    const hash = hashHead(unsigned);
    const signature = signer.sign(hash);
    const head: AuditHead = { ...unsigned, hash, keyId: signer.keyId, signature, rowDigests };
    if (!(await store.addHead(head))) return undefined;
    return { head, missingRows: lastAuditNo - firstAuditNo + 1 - rows.length };
  };
}
