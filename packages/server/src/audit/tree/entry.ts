// The text that a leaf of the tree hashes: the row's line in an export. It contains a salt, so that the
// hash reveals nothing when it appears in the proof of another row.
import { createCipheriv } from 'node:crypto';
import type { ChainedRow } from '../../domain/audit/proof-ports.ts';
import { hashLeaf } from './merkle.ts';

export const SEED_BYTES = 32;
const SALT_BYTES = 16;

/**
 * Salts of rows by their numbers: blocks of AES in counter mode, with the seed as its key and the number as the counter. A whole
 * range costs one call.
 */
export function createSalts(
  seed: Uint8Array,
  first: number,
  count = 1,
): (auditNo: number) => string {
  const counter = Buffer.alloc(SALT_BYTES);
  counter.writeBigUInt64BE(BigInt(first), SALT_BYTES - 8);
  const salts = createCipheriv('aes-256-ctr', seed, counter)
    .update(Buffer.alloc(count * SALT_BYTES))
    .toString('hex');
  return (auditNo) => {
    const at = (auditNo - first) * 2 * SALT_BYTES;
    return salts.slice(at, at + 2 * SALT_BYTES);
  };
}

export function entryOf(row: ChainedRow, salt: string): string {
  return JSON.stringify({
    type: 'row',
    audit_no: row.auditNo,
    time: row.time,
    actor: row.actor,
    action: row.action,
    controller_id: row.controllerId,
    subject_request_id: row.subjectRequestId,
    detail: row.detail,
    request_no: row.requestNo,
    salt,
  });
}

/** The entry for a number whose row was deleted before it was sealed. */
export const missingEntry = (auditNo: number): string =>
  JSON.stringify({ type: 'missing row', audit_no: auditNo });

/** One leaf for every number from `first` to `last`. */
export function leavesOf(
  rows: readonly ChainedRow[],
  first: number,
  last: number,
  seed: Uint8Array,
): Buffer[] {
  const isSeeded = seed.length === SEED_BYTES;
  const saltOf = isSeeded ? createSalts(seed, first, last - first + 1) : () => '';
  const leaves: Buffer[] = [];
  let next = 0;
  for (let auditNo = first; auditNo <= last; auditNo++) {
    const row = rows[next];
    if (row?.auditNo !== auditNo) leaves.push(hashLeaf(missingEntry(auditNo)));
    else {
      leaves.push(hashLeaf(entryOf(row, row.salt ?? saltOf(auditNo))));
      next++;
    }
  }
  return leaves;
}
