// Verifies a given receipt, by itself or against heads and proofs that were kept with it. The command line and the
// operator API use it.
import { readStrictJson } from '@unwrite/protocol';
import { NotProven } from '../../audit/prove/verify-documents.ts';
import {
  verifyOwnProof,
  verifyReceiptInLog,
  verifyStatementInLog,
} from '../../audit/prove/verify-receipt-proof.ts';
import type { VerifySignature } from '../../domain/audit/proof-ports.ts';
import { isObject } from '../../domain/is-object.ts';
import type { ClosingStatement } from '../../domain/receipt/documents.ts';
import type { GivenDocument, ReceiptVerdict } from '../../operator/audit/receipt-verdict.ts';
import { verifyReceipt, verifySigned } from '../../receipts/verify-receipt.ts';

const CLOSING = 'unwrite closing statement';

export function verifyGivenReceipt(
  { name, bytes }: GivenDocument,
  heads: readonly GivenDocument[],
  verifySignature: VerifySignature,
): ReceiptVerdict {
  const isClosing = kindOf(bytes) === CLOSING;
  const verdict = isClosing
    ? verifySigned(bytes, [CLOSING], 'a closing statement', verifySignature)
    : verifyReceipt(bytes, verifySignature);
  if (!verdict.ok) return { ok: false, problem: `${name} does not verify: ${verdict.problem}` };
  const documents: unknown[] = [];
  for (const one of heads) {
    const read = documentsIn(one);
    if (typeof read === 'string') return { ok: false, problem: `${one.name} ${read}` };
    for (const document of read) documents.push(document);
  }
  try {
    if (!('receipt' in verdict)) {
      const statement = verdict.document as unknown as ClosingStatement;
      const { connected } = verifyStatementInLog(statement, documents, verifySignature);
      return { ok: true, statement, connected };
    }
    const { receipt } = verdict;
    if (heads.length > 0)
      return { ...verdict, ...verifyReceiptInLog(bytes, receipt, documents, verifySignature) };
    const head = verifyOwnProof(receipt, verifySignature);
    return { ...verdict, head, connected: [], isLogged: false };
  } catch (error) {
    if (!(error instanceof NotProven)) throw error;
    return { ok: false, problem: `${name} does not match the audit log: ${error.message}` };
  }
}

function kindOf(bytes: Uint8Array): unknown {
  const document = parsed(bytes);
  return isObject(document) ? document.document : undefined;
}

/** One document, or one per line; refuses duplicate members, which readers treat differently. A text is an error. */
function documentsIn({ bytes }: GivenDocument): unknown[] | string {
  const whole = parsed(bytes);
  if (whole !== undefined) return [whole];
  const lines = Buffer.from(bytes).toString().split('\n');
  const texts = lines.filter((line) => line !== '');
  if (texts.length === 0) return 'is empty: it contains no head to compare with';
  const documents = texts.map((line) => parsed(Buffer.from(line)));
  return documents.includes(undefined)
    ? 'holds no JSON documents, or one that has a member twice'
    : documents;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return readStrictJson(Buffer.from(bytes));
  } catch {
    return undefined;
  }
}
