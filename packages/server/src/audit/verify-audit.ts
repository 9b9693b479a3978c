// Walks the whole chain and names the first place that is not as it was sealed.
import type { AuditHead, AuditHeadStore, VerifySignature } from '../domain/proof-ports.ts';
import { DIGEST_BYTES, digestRow, FIRST_PREVIOUS_HASH, hashHead, hashRows } from './chain.ts';

const PAGE = 100;

/** A head that somebody wrote down: from the log, an export, a receipt, or the file beside the store. */
export interface KnownHead {
  readonly headNo: number;
  /** Hexadecimal. */
  readonly hash: string;
}

export type AuditVerdict =
  | {
      readonly ok: true;
      readonly heads: number;
      readonly rows: number;
      /** Written since the last head, and not covered yet. */
      readonly unsealed: number;
      readonly last: KnownHead | undefined;
    }
  | { readonly ok: false; readonly problem: string };

export function verifyAudit(
  store: AuditHeadStore,
  verifySignature: VerifySignature,
  known: readonly KnownHead[],
): AuditVerdict {
  let previous: AuditHead | undefined;
  let rows = 0;
  const unseen = new Map(known.map((head) => [head.headNo, head.hash]));
  for (;;) {
    const page = store.heads(previous?.headNo ?? 0, PAGE);
    for (const head of page) {
      const problem = checkHead(head, previous, verifySignature) ?? checkRows(store, head);
      if (problem !== undefined) return { ok: false, problem };
      const expected = unseen.get(head.headNo);
      if (expected !== undefined && expected !== hex(head.hash)) {
        return { ok: false, problem: `head ${head.headNo} is not the one that was written down` };
      }
      unseen.delete(head.headNo);
      if (head.rowDigests !== null) rows += head.lastAuditNo - head.firstAuditNo + 1;
      previous = head;
    }
    if (page.length < PAGE) break;
  }
  const [missing] = unseen.keys();
  if (missing !== undefined) {
    return {
      ok: false,
      problem: `head ${missing} was written down and is not there: the log was cut after head ${previous?.headNo ?? 0} (row ${previous?.lastAuditNo ?? 0})`,
    };
  }
  return checkTail(store, previous, rows);
}

function checkHead(
  head: AuditHead,
  previous: AuditHead | undefined,
  verifySignature: VerifySignature,
): string | undefined {
  const { headNo } = head;
  if (headNo !== (previous?.headNo ?? 0) + 1) {
    return `head ${(previous?.headNo ?? 0) + 1} is missing: the next one is ${headNo}`;
  }
  if (hex(head.previousHash) !== hex(previous?.hash ?? FIRST_PREVIOUS_HASH)) {
    return `head ${headNo} does not follow the one before it`;
  }
  if (head.firstAuditNo !== (previous?.lastAuditNo ?? 0) + 1) {
    return `head ${headNo} begins at row ${head.firstAuditNo} instead of ${(previous?.lastAuditNo ?? 0) + 1}`;
  }
  if (hex(hashHead(head)) !== hex(head.hash)) return `head ${headNo} was changed`;
  if (!verifySignature(head.keyId, head.hash, head.signature)) {
    return `the signature of head ${headNo} is not ours`;
  }
  return undefined;
}

function checkRows(store: AuditHeadStore, head: AuditHead): string | undefined {
  const { rowDigests, firstAuditNo, lastAuditNo, headNo } = head;
  // Cut for their age: the head vouches that they were there.
  if (rowDigests === null) return undefined;
  const isWhole = rowDigests.length === (lastAuditNo - firstAuditNo + 1) * DIGEST_BYTES;
  if (!isWhole || hex(hashRows(rowDigests)) !== hex(head.rowsHash)) {
    return `the digests of head ${headNo} were changed`;
  }
  let expected = firstAuditNo;
  for (const row of store.rows(firstAuditNo, lastAuditNo)) {
    if (row.auditNo !== expected) return `row ${expected} was removed`;
    const at = (expected - firstAuditNo) * DIGEST_BYTES;
    const digest = rowDigests.subarray(at, at + DIGEST_BYTES);
    if (hex(digest) !== hex(digestRow(row))) return `row ${expected} was changed`;
    expected++;
  }
  return expected <= lastAuditNo ? `row ${expected} was removed` : undefined;
}

/** Rows that no head covers yet can only be counted; a gap in their numbers still shows. */
function checkTail(store: AuditHeadStore, last: AuditHead | undefined, rows: number): AuditVerdict {
  let expected = (last?.lastAuditNo ?? 0) + 1;
  const first = expected;
  for (;;) {
    const page = store.rowsAfter(expected - 1, PAGE);
    for (const row of page) {
      if (row.auditNo !== expected) return { ok: false, problem: `row ${expected} was removed` };
      expected++;
    }
    if (page.length < PAGE) break;
  }
  return {
    ok: true,
    heads: last?.headNo ?? 0,
    rows,
    unsealed: expected - first,
    last: last && { headNo: last.headNo, hash: hex(last.hash) },
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
