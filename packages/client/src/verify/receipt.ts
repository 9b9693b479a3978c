import type { AuditHeadDocument, ReceiptDocument } from '@unwrite/protocol';
import { fromBase64, sha256, toHex, utf8 } from './bytes.ts';
import { type Fields, fieldsOf, membersOf, readDocument } from './documents.ts';
import { NotVerifiedError } from './not-verified.ts';
import type { ProofKeys } from './proof-keys.ts';
import { type AuditRow, readHead, readHeadDocument, verifyInclusion } from './proofs.ts';

export interface VerifiedReceipt {
  readonly receipt: ReceiptDocument;
  /** The head in the receipt. Undefined for receipts from before the tree. */
  readonly head: AuditHeadDocument | undefined;
  /** The audit log has the end of the request: the proof in the receipt leads to its head. */
  readonly isCovered: boolean;
  /**
   * The audit log of this head has the receipt itself. Undefined without `logProof`. That it continues the log of
   * `head` is what a consistency proof between the two shows.
   */
  readonly loggedIn: AuditHeadDocument | undefined;
}

/**
 * Verifies a receipt, byte for byte as it was given out, with the head and the proof in it. `logProof` is the answer of
 * `GET /receipts/{subject_request_id}/proof`. Throws NotVerifiedError.
 */
export async function verifyReceipt(
  document: Uint8Array | string,
  keys: ProofKeys,
  options: { readonly logProof?: Uint8Array | string } = {},
): Promise<VerifiedReceipt> {
  const bytes = typeof document === 'string' ? utf8(document) : document;
  const fields = readDocument(bytes, 'the receipt');
  await requireSigned(bytes, fields, keys);
  const receipt = fields as unknown as ReceiptDocument;
  const head = await ownHead(receipt, keys);
  const { audit_proof: proof } = receipt;
  if (head !== undefined && proof != null)
    requireAbout(await verifyInclusion(proof, head), receipt);
  const { logProof } = options;
  const loggedIn =
    logProof === undefined ? undefined : await readLogged(bytes, receipt, logProof, keys);
  if (loggedIn?.head_no === head?.head_no && loggedIn?.hash !== head?.hash) {
    throw new NotVerifiedError(`there are two heads ${head?.head_no}: the log was forked`);
  }
  return { receipt, head, isCovered: head !== undefined && proof != null, loggedIn };
}

/** What controllers get, and what the processor keeps; the audit log has the digests of both in one row. */
const RECEIPT = 'unwrite receipt';
const FULL_RECEIPT = 'unwrite full receipt';

const write = (value: object) => utf8(`${JSON.stringify(value, null, 2)}\n`);

/** Different bytes with the same meaning are not the same receipt: its signature is over its text. */
async function requireSigned(bytes: Uint8Array, fields: Fields, keys: ProofKeys): Promise<void> {
  if (![RECEIPT, FULL_RECEIPT].includes(String(fields.document))) {
    throw new NotVerifiedError('it is not a receipt');
  }
  if (fields.version !== 1) throw new NotVerifiedError('it is of a version that is not known here');
  const { signature, ...unsigned } = fields;
  if (toHex(write({ ...unsigned, signature })) !== toHex(bytes)) {
    throw new NotVerifiedError(
      'it is not byte for byte as it was written: was it reformatted, or edited?',
    );
  }
  const decoded = fromBase64(String(signature));
  const key = keys.find(fields.key_id);
  const isSigned =
    decoded !== undefined && key !== undefined && (await key.verify(write(unsigned), decoded));
  if (!isSigned) {
    throw new NotVerifiedError('its signature was not made with a given key, or it was changed');
  }
}

async function ownHead(
  { audit_head: head }: ReceiptDocument,
  keys: ProofKeys,
): Promise<AuditHeadDocument | undefined> {
  return head === null || !('version' in fieldsOf(head, 'audit_head'))
    ? undefined
    : readHead(head, keys);
}

async function readLogged(
  bytes: Uint8Array,
  receipt: ReceiptDocument,
  logProof: Uint8Array | string,
  keys: ProofKeys,
): Promise<AuditHeadDocument> {
  const names = ['document', 'receipt_sha256', 'head', 'inclusion'];
  const fields = membersOf(readDocument(logProof, 'the proof'), 'a receipt proof', names);
  const head = await readHeadDocument(fields.head, keys);
  const row = await verifyInclusion(fields.inclusion as never, head);
  requireAbout(row, receipt);
  const digest = toHex(await sha256(bytes));
  const detail = readDocument(String(row.detail), 'the detail of the row');
  const isFull = (receipt.document as string) === FULL_RECEIPT;
  const isIts =
    fields.document === 'unwrite receipt proof' &&
    row.action === 'receipt.signed' &&
    fields.receipt_sha256 === detail.sha256 &&
    (isFull ? detail.full_sha256 : detail.sha256) === digest;
  if (isIts) return head;
  throw new NotVerifiedError('the proof is of another receipt');
}

function requireAbout(row: AuditRow, receipt: ReceiptDocument): void {
  const isSameId =
    String(row.subject_request_id).toLowerCase() === receipt.subject_request_id.toLowerCase();
  if (isSameId && row.controller_id === receipt.controller_id) return;
  throw new NotVerifiedError('the proof is about another request');
}
