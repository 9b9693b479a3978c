// The audit log as a chain: each head covers the rows since the previous head, and that head's hash. Rows are
// written without any of this, so that creates need no lock; the sealer adds it later. A head has the root of a
// tree over all rows (tree/).
import { createHash } from 'node:crypto';
import type { AuditCut, HeadEnd } from '../domain/audit/proof-ports.ts';

export const FIRST_PREVIOUS_HASH: Uint8Array = new Uint8Array(32);
export const HEAD_VERSION = 1;

type Unsigned = Omit<HeadEnd, 'hash' | 'signature'>;

/** Lines of text, so that others can compute it without our code. */
export function hashHead(head: Unsigned): Buffer {
  return hashLines([
    `unwrite audit head ${HEAD_VERSION}`,
    head.headNo,
    head.firstAuditNo,
    head.lastAuditNo,
    head.time,
    head.treeFirst,
    treeSize(head),
    hex(head.rowsHash),
    hex(head.previousHash),
    head.keyId,
  ]);
}

/** The number of leaves of the head's tree. */
export function treeSize({ treeFirst, lastAuditNo }: Pick<HeadEnd, 'treeFirst' | 'lastAuditNo'>) {
  return lastAuditNo - treeFirst + 1;
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
