// Whether a receipt is unchanged since it was signed, and which parts of the audit log it was compared with.
import type { HeadEnd } from '../../domain/audit/proof-ports.ts';
import type { ClosingStatement, FullReceipt, Receipt } from '../../domain/receipt/documents.ts';

/** A file, or a text that was sent; `name` is for messages. */
export interface GivenDocument {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type ReceiptVerdict =
  | { readonly ok: false; readonly problem: string }
  | {
      readonly ok: true;
      readonly statement: ClosingStatement;
      readonly connected: readonly HeadEnd[];
    }
  | {
      readonly ok: true;
      readonly receipt: Receipt | FullReceipt;
      /** The head in the receipt. Undefined for receipts from before the tree. */
      readonly head: HeadEnd | undefined;
      readonly connected: readonly HeadEnd[];
      readonly isLogged: boolean;
    };

export type VerifiedReceipt = Extract<ReceiptVerdict, { ok: true }>;

export function verifiedReceiptShape(verified: VerifiedReceipt) {
  if ('statement' in verified) {
    const { controller_id, signed_time, key_id } = verified.statement;
    return {
      ok: true,
      controller_id,
      subject_request_id: null,
      receipt_no: null,
      signed_time,
      key_id,
      in_audit_log: false,
      receipt_in_audit_log: false,
      consistent_with: verified.connected.map(({ headNo }) => headNo),
    };
  }
  const { receipt, head, connected, isLogged } = verified;
  return {
    ok: true,
    controller_id: receipt.controller_id,
    subject_request_id: receipt.subject_request_id,
    receipt_no: receipt.receipt_no,
    signed_time: receipt.signed_time,
    key_id: receipt.key_id,
    in_audit_log: head !== undefined && receipt.audit_proof != null,
    receipt_in_audit_log: isLogged,
    consistent_with: connected.map(({ headNo }) => headNo),
  };
}

/** `key`: which key signed, and whose it is. */
export function verifiedReceiptWords(verified: VerifiedReceipt, key: string): string[] {
  if ('statement' in verified) {
    const {
      controller_id: controller,
      closed_time: closed,
      signed_time: time,
      audit_head: head,
    } = verified.statement;
    return [
      `Closing statement of controller ${controller}, closed at ${closed}: unchanged since it was signed`,
      `at ${time} by key ${verified.statement.key_id} (${key}).`,
      `Audit head at that time: ${head.head_no}:${head.hash}`,
      ...consistentWords(verified),
    ];
  }
  const { receipt, isLogged } = verified;
  const kind = receipt.document === 'unwrite receipt' ? 'Receipt' : 'Full receipt';
  const what = receipt.receipt_no === 1 ? kind : `${kind}, addendum ${receipt.receipt_no},`;
  const { previous_receipt: previous, audit_head: head, audit_proof: proof } = receipt;
  return [
    `${what} of request ${receipt.subject_request_id} of ${receipt.controller_id}: unchanged since it was signed`,
    `at ${receipt.signed_time} by key ${receipt.key_id} (${key}).`,
    ...(previous
      ? [`It follows receipt ${previous.receipt_no} with SHA-256 ${previous.sha256}.`]
      : []),
    ...(head ? [`Audit head at that time: ${head.head_no}:${head.hash}`] : []),
    ...(proof ? ['That head covers the completion: the proof leads to its root.'] : []),
    ...(isLogged ? ['The audit log contains this receipt.'] : []),
    ...consistentWords(verified),
  ];
}

const consistentWords = ({ connected }: Pick<VerifiedReceipt, 'connected'>) =>
  connected.map(({ headNo }) => `It is consistent with head ${headNo}.`);
