// The audit log as a chain: each head covers the rows since the previous head, and that head's hash. Rows are
// written without any of this, so that creates need no lock; the sealer adds it later. Heads of version 1 have
// digests of their rows; heads of version 2 have the root of a tree over all rows (tree/).
import { createHash, hash } from 'node:crypto';
import type { AuditCut, ChainedRow, HeadEnd } from '../domain/audit/proof-ports.ts';

export const DIGEST_BYTES = 16;
export const FIRST_PREVIOUS_HASH: Uint8Array = new Uint8Array(32);
/** The digest of a missing row, which was deleted before it was sealed. No row has this digest. */
const NO_ROW = Buffer.alloc(DIGEST_BYTES);

/**
 * Hexadecimal. 128 bits: a second row with the same digest cannot be found. Length-prefixed texts are as unambiguous
 * as JSON, at a third of its cost; a busy second has thousands of rows.
 */
export function digestRow(row: ChainedRow): string {
  const text = `${row.auditNo} ${row.time} ${row.requestNo} ${field(row.actor)}${field(row.action)}${field(row.controllerId)}${field(row.subjectRequestId)}${field(row.detail)}`;
  // As a text: a buffer for each row would cost more than its hash.
  return hash('sha256', text, 'hex').slice(0, 2 * DIGEST_BYTES);
}

function field(text: string | null): string {
  return text === null ? '-' : `${text.length}:${text}`;
}

/** One digest for every number from `firstAuditNo` to the last row's. */
export function digestRows(rows: readonly ChainedRow[], firstAuditNo: number): Buffer {
  const last = rows.at(-1)?.auditNo ?? firstAuditNo - 1;
  const digests = Buffer.alloc((last - firstAuditNo + 1) * DIGEST_BYTES);
  for (const row of rows) {
    digests.write(digestRow(row), (row.auditNo - firstAuditNo) * DIGEST_BYTES, 'hex');
  }
  return digests;
}

export function digestAt(rowDigests: Uint8Array, index: number): Uint8Array {
  return rowDigests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES);
}

export function isNoRow(digest: Uint8Array): boolean {
  return NO_ROW.equals(digest);
}

export function hashRows(rowDigests: Uint8Array): Buffer {
  return createHash('sha256').update(rowDigests).digest();
}

export const TREE_VERSION = 2;

type Unsigned = Omit<HeadEnd, 'hash' | 'signature'>;

/** Covers the hash of the digests, not the digests: a head can still be verified when its rows are cut. */
export function hashHead(head: Omit<Unsigned, 'keyId' | 'treeFirst' | 'version'>): Buffer {
  const { headNo, firstAuditNo, lastAuditNo, time, previousHash, rowsHash } = head;
  return createHash('sha256')
    .update(`unwrite audit head\0${headNo}\0${firstAuditNo}\0${lastAuditNo}\0${time}\0`)
    .update(previousHash)
    .update(rowsHash)
    .digest();
}

/** Lines of text, so that others can compute it without our code. */
export function hashTreeHead(head: Unsigned): Buffer {
  return hashLines([
    'unwrite audit head 2',
    head.headNo,
    head.firstAuditNo,
    head.lastAuditNo,
    head.time,
    head.treeFirst ?? '',
    treeSize(head),
    hex(head.rowsHash),
    hex(head.previousHash),
    head.keyId,
  ]);
}

export const hashOf = (head: Unsigned): Buffer =>
  head.version === TREE_VERSION ? hashTreeHead(head) : hashHead(head);

/** The number of leaves of the head's tree. */
export function treeSize({ treeFirst, lastAuditNo }: Pick<HeadEnd, 'treeFirst' | 'lastAuditNo'>) {
  return treeFirst === null ? 0 : lastAuditNo - treeFirst + 1;
}

export function hashCut(cut: Omit<AuditCut, 'signature'>): Buffer {
  return hashLines([
    'unwrite audit cut 1',
    cut.headNo,
    hex(cut.headHash),
    cut.lastAuditNo,
    cut.headTime,
    cut.retentionMs,
    cut.time,
    cut.keyId,
  ]);
}

export function hashLines(lines: readonly (string | number)[]): Buffer {
  return createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest();
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
