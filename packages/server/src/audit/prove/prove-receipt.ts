// Proves a receipt: the log must have what it states, under a signed head.

import type { AuditTree, ChainedRow, VerifySignature } from '../../domain/audit/proof-ports.ts';
import { readDetail } from '../../domain/audit/read-detail.ts';
import type { InclusionProof } from '../../domain/receipt/documents.ts';
import {
  acceptedEvidence,
  ENDS,
  type ProvenRow,
  problemOf,
} from '../../domain/receipt/evidence-rules.ts';
import type { ProveReceipt, ReceiptFacts, ReceiptProof } from '../../domain/receipt/receipt.ts';
import { hex } from '../chain.ts';
import { signedHead } from '../export/shapes.ts';
import { type Inclusion, openRowProver, type RowProver } from './prove-rows.ts';

/** For an addendum, the last of these rows is proven. */
const STATED_BY_ADDENDA: readonly string[] = [...ENDS, 'request.erased_again'];

/** Uses the log as it is now, for several receipts that are signed together. */
export async function openReceiptProver(
  tree: AuditTree,
  verifySignature: VerifySignature,
  now: number,
): Promise<ProveReceipt> {
  const prover = await openRowProver(tree, verifySignature);
  return (...receipt) => prove(prover, now, receipt);
}

async function prove(
  prover: RowProver,
  now: number,
  [facts, receiptNo, before]: Parameters<ProveReceipt>,
): Promise<ReceiptProof> {
  const rows: ProvenRow[] = [];
  for (const row of facts.rows) {
    const covered = await prover.prove(row);
    if (covered === 'not yet' && row.action !== 'receipt.signed') return { outcome: 'not yet' };
    if (covered === 'changed') return refused(`row ${row.auditNo} of the audit log was changed`);
    rows.push(provenRow(row));
  }
  const { head, cutTime } = prover;
  if (head === undefined) return { outcome: 'not yet' };
  const { previous, startedTime, completedTime, tasks, isAsCreated, planId, planDigest } = facts;
  const toBeSigned = {
    receiptNo,
    startedTime,
    completedTime,
    tasks,
    rows,
    // This time is authenticated.
    mayBeCut: facts.receivedTime <= cutTime,
    isAsCreated,
    planId,
    planDigest,
    previous: previous && before && { receiptNo: previous.receiptNo, ...before },
  };
  const problem = problemOf(toBeSigned);
  if (problem !== undefined) return refused(problem);
  // A row counts as cut only if all rows since the cut are present.
  if (toBeSigned.mayBeCut && problemOf({ ...toBeSigned, mayBeCut: false }) !== undefined) {
    const changed = await prover.changedSinceCut();
    if (changed !== undefined) return refused(changed);
  }
  const accepted = acceptedEvidence(toBeSigned);
  if (accepted.length < tasks.length) {
    const since = signableSince(facts, receiptNo);
    const changed = since && (await prover.changedSince(since, now));
    if (changed) return refused(changed);
  }
  const stated = receiptNo === 1 ? ['request.completed'] : STATED_BY_ADDENDA;
  const proven = facts.rows.findLast(({ action }) => stated.includes(action));
  const found = proven && (await prover.inclusionOf(proven));
  const inclusion = found === undefined ? null : inclusionShape(found);
  return { outcome: 'proven', head: signedHead(head), inclusion, accepted };
}

/**
 * No receipt of that number can have been signed before this row: if its own row is hidden, the log is damaged
 * after this row.
 */
function signableSince({ rows, tasks }: ReceiptFacts, receiptNo: number): ChainedRow | undefined {
  if (receiptNo === 1) return rows.find(({ action }) => action === 'request.completed');
  const ends = new Set(tasks.map(({ digest }) => digest));
  return rows.find((row) => ends.has(String(readDetail(row).evidence)));
}

const refused = (reason: string): ReceiptProof => ({ outcome: 'refused', reason });

function provenRow({ actor, action, time, detail }: ChainedRow): ProvenRow {
  return { actor, action, time, detail };
}

export function inclusionShape({ entry, leafIndex, path }: Inclusion): InclusionProof {
  return { entry, leaf_index: leafIndex, path: path.map(hex) };
}
