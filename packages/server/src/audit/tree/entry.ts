// What a leaf of the tree is the hash of: the line that an export has for the row. With a salt in it, so that the hash tells
// nothing to those who see it in the proof of another row.
import { hash } from 'node:crypto';
import type { ChainedRow } from '../../domain/audit/proof-ports.ts';
import { hex } from '../chain.ts';
import { hashLeaf } from './merkle.ts';

export const SEED_BYTES = 32;
const SALT_DIGITS = 32;

export function createSalts(seed: Uint8Array): (auditNo: number) => string {
  const secret = hex(seed);
  return (auditNo) => hash('sha256', `${secret} ${auditNo}`, 'hex').slice(0, SALT_DIGITS);
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

/** For a number whose row was gone before it was sealed. */
export const missingEntry = (auditNo: number): string =>
  JSON.stringify({ type: 'missing row', audit_no: auditNo });

/** One leaf for every number from `first` to `last`. */
export function leavesOf(
  rows: readonly ChainedRow[],
  first: number,
  last: number,
  seed: Uint8Array,
): Buffer[] {
  const saltOf = createSalts(seed);
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
