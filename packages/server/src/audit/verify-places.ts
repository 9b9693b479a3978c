// Compares a head with the one before it, and finds rows where none should be.
import type { AuditHead, VerifySignature } from '../domain/audit/proof-ports.ts';
import { FIRST_PREVIOUS_HASH, hashHead, hex } from './chain.ts';
import type { VerifiableChain } from './verifiable-chain.ts';

const PAGE = 100;

export function checkHead(
  head: AuditHead,
  previous: AuditHead | 'anything' | undefined,
  verifySignature: VerifySignature,
): string[] {
  const { headNo } = head;
  const problems: string[] = [];
  if (previous !== 'anything') {
    const headBefore = previous?.headNo ?? 0;
    const lastRow = previous?.lastAuditNo ?? 0;
    if (headNo !== headBefore + 1) {
      problems.push(`head ${headBefore + 1} is missing: the next one is ${headNo}`);
    } else if (hex(head.previousHash) !== hex(previous?.hash ?? FIRST_PREVIOUS_HASH)) {
      problems.push(`head ${headNo} does not follow the one before it`);
    } else if (head.firstAuditNo !== lastRow + 1 && !beginsTree(head, lastRow)) {
      problems.push(`head ${headNo} begins at row ${head.firstAuditNo} instead of ${lastRow + 1}`);
    }
  }
  if (hex(hashHead(head)) !== hex(head.hash)) problems.push(`head ${headNo} was changed`);
  else if (!verifySignature(head.keyId, head.hash, head.signature)) {
    problems.push(`the signature of head ${headNo} was not made with the given key`);
  }
  return problems;
}

/** It may leave out rows before it. */
const beginsTree = ({ firstAuditNo, treeFirst }: AuditHead, lastRow: number) =>
  treeFirst === firstAuditNo && firstAuditNo > lastRow;

export function missingHead(headNo: number, last: AuditHead | undefined): string {
  const [lastHead, lastRow] = [last?.headNo ?? 0, last?.lastAuditNo ?? 0];
  return headNo > lastHead
    ? `head ${headNo} was recorded and is missing: the log was cut after head ${lastHead} (row ${lastRow})`
    : `head ${headNo} was recorded and is missing`;
}

/**
 * Finds rows below the first number that should exist. Numbers are whole, so there is nothing between two
 * numbers.
 */
export async function insertedBefore(chain: VerifiableChain, cutUntil: number): Promise<string[]> {
  const { beginsAfter } = chain;
  const [base] = beginsAfter === 0 ? [] : await chain.heads(beginsAfter - 1, 1);
  const baseEnd = base?.headNo === beginsAfter ? base.lastAuditNo : 0;
  const until = Math.max(cutUntil, baseEnd);
  const [first] = await chain.rowsAfter(Number.MIN_SAFE_INTEGER, 1);
  if (first === undefined || first.auditNo > until) return [];
  const why =
    cutUntil > 0 ? `rows up to ${cutUntil} were removed by retention` : `the first is ${until + 1}`;
  return [`row ${first.auditNo} was inserted: ${why}`];
}

/** Far more numbers than anybody wants to read. */
const MAX_NAMED = 1000;

/** Rows that no head covers yet can only be counted, but a gap in their numbers is found. */
export async function checkTail(chain: VerifiableChain, last: AuditHead | undefined) {
  const problems: string[] = [];
  let expected = (last?.lastAuditNo ?? 0) + 1;
  let rows = 0;
  for (;;) {
    const page = await chain.rowsAfter(expected - 1, PAGE);
    for (const row of page) {
      const end = Math.min(row.auditNo, expected + MAX_NAMED - problems.length);
      for (; expected < end; expected++) problems.push(`row ${expected} was removed`);
      expected = row.auditNo + 1;
      rows++;
    }
    if (page.length < PAGE) return { rows, problems };
  }
}
