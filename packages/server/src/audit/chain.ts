// The audit log as a chain: each head covers the rows since the head before it, and that head's hash.
// Rows are written without any of this, so that intake needs no lock; the sealer walks behind.
import { createHash } from 'node:crypto';
import type { AuditHead, ChainedRow } from '../domain/proof-ports.ts';

export const DIGEST_BYTES = 16;
export const FIRST_PREVIOUS_HASH: Uint8Array = new Uint8Array(32);

/** 128 bits: nobody finds another row with the same. */
export function digestRow(row: ChainedRow): Buffer {
  const { auditNo, time, actor, action, controllerId, subjectRequestId, detail, requestNo } = row;
  const text = JSON.stringify([
    auditNo,
    time,
    actor,
    action,
    controllerId,
    subjectRequestId,
    detail,
    requestNo,
  ]);
  return createHash('sha256').update(text).digest().subarray(0, DIGEST_BYTES);
}

export function hashRows(rowDigests: Uint8Array): Buffer {
  return createHash('sha256').update(rowDigests).digest();
}

type HashedFields = Pick<
  AuditHead,
  'headNo' | 'firstAuditNo' | 'lastAuditNo' | 'time' | 'previousHash' | 'rowsHash'
>;

/** Of the digests' hash, not of the digests: a head stays verifiable when its rows are cut. */
export function hashHead(head: HashedFields): Buffer {
  const { headNo, firstAuditNo, lastAuditNo, time, previousHash, rowsHash } = head;
  return createHash('sha256')
    .update(`unwrite audit head\0${headNo}\0${firstAuditNo}\0${lastAuditNo}\0${time}\0`)
    .update(previousHash)
    .update(rowsHash)
    .digest();
}
