// The rows that a head of version 1 covers, each against its digest.
import type { AuditChain, AuditHead } from '../domain/audit/proof-ports.ts';
import { DIGEST_BYTES, digestAt, digestRow, hashRows, hex, isNoRow } from './chain.ts';

const MAX_PROBLEMS = 5;

export interface CheckedRows {
  readonly rows: number;
  readonly problems: string[];
}

export async function checkRows(chain: AuditChain, head: AuditHead): Promise<CheckedRows> {
  const { rowDigests, firstAuditNo, lastAuditNo, headNo } = head;
  if (rowDigests === null) {
    const problem = `the digests of head ${headNo} were removed, and no signed record says that its rows were removed by retention`;
    return { rows: 0, problems: [problem] };
  }
  const isWhole = rowDigests.length === (lastAuditNo - firstAuditNo + 1) * DIGEST_BYTES;
  if (!isWhole || hex(hashRows(rowDigests)) !== hex(head.rowsHash)) {
    return { rows: 0, problems: [`the digests of head ${headNo} were changed`] };
  }
  const problems: string[] = [];
  const covered = await chain.rows(firstAuditNo, lastAuditNo);
  const stored = new Map(covered.map((row) => [row.auditNo, row]));
  let rows = 0;
  for (let auditNo = firstAuditNo; auditNo <= lastAuditNo; auditNo++) {
    const digest = digestAt(rowDigests, auditNo - firstAuditNo);
    const row = stored.get(auditNo);
    const isSame = row !== undefined && digestRow(row) === hex(digest);
    if (isSame) rows++;
    else if (isNoRow(digest)) {
      problems.push(
        row === undefined
          ? `row ${auditNo} was removed before head ${headNo} was made`
          : `row ${auditNo} was inserted after head ${headNo} was made`,
      );
    } else problems.push(`row ${auditNo} was ${row === undefined ? 'removed' : 'changed'}`);
    if (problems.length >= MAX_PROBLEMS) break;
  }
  return { rows, problems };
}
