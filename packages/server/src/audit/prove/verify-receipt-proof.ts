// Compares a verified receipt, or closing statement, with the audit log: with its own head and proof, and with heads and proofs that
// its reader has kept.
import { createHash } from 'node:crypto';
import type { HeadEnd, VerifySignature } from '../../domain/audit/proof-ports.ts';
import type { ClosingStatement, FullReceipt, Receipt } from '../../domain/receipt/documents.ts';
import { hex } from '../chain.ts';
import {
  membersIn,
  NotProven,
  objectIn,
  readConsistency,
  readHeadDocument,
  readInclusion,
  readSignedHead,
} from './verify-documents.ts';

type AnyReceipt = Receipt | FullReceipt;

export interface ReceiptInLog {
  /** The head in the receipt. Undefined for receipts from before the tree. */
  readonly head: HeadEnd | undefined;
  /** Heads with which the receipt was found to be consistent. */
  readonly connected: readonly HeadEnd[];
  /** Whether a proof shows that the log contains the receipt itself. */
  readonly isLogged: boolean;
}

/** Verifies the head and the proof inside the receipt; throws NotProven. */
export function verifyOwnProof(receipt: AnyReceipt, verify: VerifySignature): HeadEnd | undefined {
  const { audit_head: value, audit_proof: proof } = receipt;
  if (value === null || !('version' in objectIn(value, 'audit_head'))) return undefined;
  const head = readSignedHead(value, verify);
  if (proof == null) return head;
  const row = readInclusion(proof, head);
  requireAbout(row, receipt);
  return head;
}

/**
 * Documents are heads, consistency proofs and receipt proofs. All must be valid, and each head must be
 * connected with the receipt's head.
 */
export function verifyReceiptInLog(
  bytes: Uint8Array,
  receipt: AnyReceipt,
  documents: readonly unknown[],
  verify: VerifySignature,
): ReceiptInLog {
  const head = verifyOwnProof(receipt, verify);
  if (head === undefined) {
    throw new NotProven('the receipt is from before the tree: it names a head and has no proof');
  }
  const heads = createHeads(head);
  let isLogged = false;
  for (const value of documents) {
    if (addHeads(heads, value, verify)) continue;
    const { document } = objectIn(value, 'a document');
    if (document === 'unwrite receipt proof') {
      heads.add(verifyLogged(bytes, receipt, value, verify));
      isLogged = true;
    } else throw new NotProven('a document is neither a head nor a proof of an audit log');
  }
  return { head, connected: heads.requireConnected(), isLogged };
}

/** As of a receipt; it has no row of its own, so a receipt proof is refused. */
export function verifyStatementInLog(
  { audit_head: own }: ClosingStatement,
  documents: readonly unknown[],
  verify: VerifySignature,
): Omit<ReceiptInLog, 'isLogged'> & { readonly head: HeadEnd } {
  const head = readSignedHead(own, verify);
  const heads = createHeads(head);
  for (const value of documents) {
    if (!addHeads(heads, value, verify))
      throw new NotProven('a document is neither a head nor a consistency proof of an audit log');
  }
  return { head, connected: heads.requireConnected() };
}

/** Heads and consistency proofs; false if it is neither. */
function addHeads(
  heads: ReturnType<typeof createHeads>,
  value: unknown,
  verify: VerifySignature,
): boolean {
  const { document } = objectIn(value, 'a document');
  if (document === 'unwrite audit head') heads.add(readHeadDocument(value, verify));
  else if (document === 'unwrite audit consistency') {
    const { from, to } = readConsistency(value, verify);
    heads.connect(from, to);
  } else return false;
  return true;
}

function verifyLogged(
  bytes: Uint8Array,
  receipt: AnyReceipt,
  value: unknown,
  verify: VerifySignature,
): HeadEnd {
  const names = ['document', 'receipt_sha256', 'head', 'inclusion'];
  const { head: signed, inclusion, receipt_sha256 } = membersIn(value, 'a receipt proof', names);
  const head = readHeadDocument(signed, verify);
  const row = readInclusion(inclusion, head);
  requireAbout(row, receipt);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const detail = objectIn(JSON.parse(String(row.detail)), 'the detail of the row');
  // The row has the digests of both; the proof names the one that the controller has.
  const logged = receipt.document === 'unwrite receipt' ? detail.sha256 : detail.full_sha256;
  const isIts =
    row.action === 'receipt.signed' && receipt_sha256 === detail.sha256 && logged === sha256;
  if (!isIts) throw new NotProven('the proof is of another receipt');
  return head;
}

function requireAbout(row: Readonly<Record<string, unknown>>, receipt: AnyReceipt): void {
  const isSameId =
    String(row.subject_request_id).toLowerCase() ===
    String(receipt.subject_request_id).toLowerCase();
  const isAbout = isSameId && row.controller_id === receipt.controller_id;
  if (!isAbout) throw new NotProven('the proof is about another request');
}

/** Tracks which heads are known to belong to one tree. */
function createHeads(own: HeadEnd) {
  const known = new Map<number, HeadEnd>();
  const pairs: [number, number][] = [];

  function add(head: HeadEnd): void {
    const same = known.get(head.headNo);
    if (same !== undefined && hex(same.hash) !== hex(head.hash)) {
      throw new NotProven(`there are two heads ${head.headNo}: the log was forked`);
    }
    known.set(head.headNo, head);
  }

  add(own);
  return {
    add,
    connect(from: HeadEnd, to: HeadEnd): void {
      add(from);
      add(to);
      pairs.push([from.headNo, to.headNo]);
    },
    requireConnected(): HeadEnd[] {
      const reached = new Set([own.headNo]);
      for (let size = 0; size !== reached.size; ) {
        size = reached.size;
        for (const [a, b] of pairs) {
          if (reached.has(a)) reached.add(b);
          if (reached.has(b)) reached.add(a);
        }
      }
      const apart = [...known.keys()].find((headNo) => !reached.has(headNo));
      if (apart === undefined)
        return [...known.values()].filter(({ headNo }) => headNo !== own.headNo);
      const [from, to] = [Math.min(apart, own.headNo), Math.max(apart, own.headNo)];
      throw new NotProven(
        `nothing shows that head ${apart} and head ${own.headNo} of the signed document are of one log: add the answer of /audit/consistency?from=${from}&to=${to}`,
      );
    },
  };
}
