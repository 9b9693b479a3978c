// The receipts of a request that may be given out: exactly those that were signed according to the audit log.
import { createHash } from 'node:crypto';
import { auditClaim } from '../../../domain/audit/audit-claim.ts';
import { readDetail } from '../../../domain/audit/read-detail.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import { isSigned } from '../../../domain/receipt/evidence-rules.ts';
import { type GivenReceipt, ReceiptRefused } from '../../../domain/receipt/receipt.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import type { Sql } from '../../sql.ts';
import { isCutSince } from '../audit/cut-audit.ts';
import { findRequest } from '../requests/read-request.ts';
import { readReceiptRows } from './receipt-facts.ts';

interface Stored extends GivenReceipt {
  readonly receiptNo: number;
}

/** Throws ReceiptRefused, and raises an alarm, if a stored receipt is not the one that was signed. */
export async function givenReceipts(
  sql: Sql,
  macs: RowMacs,
  request: RequestKey,
): Promise<GivenReceipt[]> {
  const found = await findRequest(sql, request);
  if (found === undefined) return [];
  const stored = await sql.all<Stored>(
    `SELECT receipt_no AS "receiptNo", document, full_document AS "fullDocument" FROM @receipts
     WHERE request_no = :requestNo ORDER BY receipt_no`,
    { requestNo: found.requestNo },
  );
  const { own } = (await readReceiptRows(sql, macs, [found]))(found);
  const signed = own
    .filter(
      (row) => row.action === 'receipt.signed' && macs.verify(auditClaim(row), row.bytesOfMac),
    )
    .map(readDetail);
  const hasCut = await isCutSince(sql, macs, found.receivedTime);
  const problem = lostReceipt(stored, signed) ?? strangeReceipt(stored, signed, hasCut);
  if (problem !== undefined) {
    macs.refuse({ kind: 'receipt', id: found.subjectRequestId }, problem);
    throw new ReceiptRefused(problem);
  }
  return stored;
}

type Signed = Readonly<Record<string, unknown>>;

function lostReceipt(stored: readonly Stored[], signed: readonly Signed[]): string | undefined {
  const there = new Set<unknown>(stored.map(({ receiptNo }) => receiptNo));
  const lost = signed.find(({ receipt_no }) => !there.has(receipt_no));
  return lost && `receipt ${lost.receipt_no} was signed and is missing in the store`;
}

/** A receipt without an audit row must be so old that rows of that time were cut. */
function strangeReceipt(
  stored: readonly Stored[],
  signed: readonly Signed[],
  hasCut: boolean,
): string | undefined {
  const strange = stored.find(({ receiptNo, document, fullDocument }) => {
    const own = signed.filter(({ receipt_no }) => receipt_no === receiptNo);
    if (own.length === 0) return !hasCut;
    const digests = { sha256: hash(document), fullSha256: hash(fullDocument) };
    return !own.some((row) => isSigned(row, digests));
  });
  return strange && `receipt ${strange.receiptNo} in the store is not one that was signed`;
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
