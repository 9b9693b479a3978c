// Writes and reads the lines of an export. A line must be exactly as it would be written: no member missing,
// repeated, unknown or in another order.
import type { AuditCut, AuditHead, ChainedRow, HeadEnd } from '../../domain/audit/proof-ports.ts';
import { HEAD_VERSION, hex, treeSize } from '../chain.ts';
import { entryOf } from '../tree/entry.ts';

export const EXPORT_TYPE = 'unwrite audit export';
export const EXPORT_VERSION = 1;

export interface HeadHashes {
  readonly leaves: readonly Uint8Array[] | null;
  /** The peaks of the tree at a head whose rows are not in the export, if the rows after it are. */
  readonly peaks: readonly Uint8Array[] | null;
}

/** With a salt, this is the text that a leaf of the tree hashes. */
export function rowLine(row: ChainedRow): string {
  if (row.salt !== undefined) return entryOf(row, row.salt);
  const { salt: _, ...members } = JSON.parse(entryOf(row, '')) as Record<string, unknown>;
  return JSON.stringify(members);
}

/** A signed head in its public form. */
export function signedHead(head: HeadEnd) {
  return {
    version: HEAD_VERSION,
    head_no: head.headNo,
    first_audit_no: head.firstAuditNo,
    last_audit_no: head.lastAuditNo,
    time: head.time,
    tree_first: head.treeFirst,
    tree_size: treeSize(head),
    root: hex(head.rowsHash),
    previous_hash: hex(head.previousHash),
    hash: hex(head.hash),
    key_id: head.keyId,
    signature: hex(head.signature),
  };
}

export function headLine(head: AuditHead, { leaves, peaks }: HeadHashes): string {
  return JSON.stringify({
    type: 'head',
    ...signedHead(head),
    leaves: leaves && Buffer.concat(leaves).toString('base64'),
    peaks: peaks?.map(hex) ?? null,
  });
}

export function cutLine(cut: AuditCut): string {
  return JSON.stringify({
    type: 'cut',
    head_no: cut.headNo,
    head_hash: hex(cut.headHash),
    last_audit_no: cut.lastAuditNo,
    head_time: cut.headTime,
    retention_ms: cut.retentionMs,
    time: cut.time,
    key_id: cut.keyId,
    signature: hex(cut.signature),
  });
}
