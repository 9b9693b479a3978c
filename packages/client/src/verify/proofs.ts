// Heads of the audit log, and proofs of what they cover. docs/verifying.md describes the documents.
import type { AuditHeadDocument, InclusionDocument } from '@unwrite/protocol';
import { fromHex, sha256, toHex, utf8 } from './bytes.ts';
import { type Fields, isWhole, membersOf, readDocument } from './documents.ts';
import { NotVerifiedError } from './not-verified.ts';
import { hashesIn, isContinued, isIncluded } from './paths.ts';
import type { ProofKeys } from './proof-keys.ts';

const HEAD_MEMBERS = [
  'version',
  'head_no',
  'first_audit_no',
  'last_audit_no',
  'time',
  'tree_first',
  'tree_size',
  'root',
  'previous_hash',
  'hash',
  'key_id',
  'signature',
] as const;
const NUMBERS = HEAD_MEMBERS.slice(0, 7);

/** A row of the audit log. */
export interface AuditRow {
  readonly audit_no: number;
  readonly action?: unknown;
  readonly controller_id?: unknown;
  readonly subject_request_id?: unknown;
  readonly detail?: unknown;
}

/** The answer of `GET /audit/head`. */
export function verifyHead(
  document: Uint8Array | string,
  keys: ProofKeys,
): Promise<AuditHeadDocument> {
  return readHeadDocument(readDocument(document, 'the head'), keys);
}

/** A head that is a document by itself, and in proofs. */
export function readHeadDocument(value: unknown, keys: ProofKeys): Promise<AuditHeadDocument> {
  const { document, ...members } = membersOf(value, 'a head', ['document', ...HEAD_MEMBERS]);
  if (document !== 'unwrite audit head') throw new NotVerifiedError('it is not a head');
  return readHead(members, keys);
}

/** A head in a receipt. */
export async function readHead(value: unknown, keys: ProofKeys): Promise<AuditHeadDocument> {
  const fields = membersOf(value, 'a head', HEAD_MEMBERS);
  const head = fields as unknown as AuditHeadDocument;
  const isShaped =
    NUMBERS.every((name) => isWhole(head[name])) &&
    head.version === 1 &&
    head.tree_size === head.last_audit_no - head.tree_first + 1;
  const hash = await hashOf(head);
  const signature = fromHex(head.signature, 64);
  const key = keys.find(head.key_id);
  const isSigned =
    isShaped &&
    toHex(hash) === head.hash &&
    signature !== undefined &&
    key !== undefined &&
    (await key.verify(hash, signature));
  if (isSigned) return head;
  throw new NotVerifiedError(
    `head ${isWhole(head.head_no) ? head.head_no : '?'} is not signed by a given key, or was changed`,
  );
}

function hashOf(head: AuditHeadDocument) {
  const lines = [
    'unwrite audit head 1',
    head.head_no,
    head.first_audit_no,
    head.last_audit_no,
    head.time,
    head.tree_first,
    head.tree_size,
    head.root,
    head.previous_hash,
    head.key_id,
  ];
  return sha256(utf8(lines.map((line) => `${line}\n`).join('')));
}

/** The row that the proof is about. The head must have been verified. */
export async function verifyInclusion(
  proof: InclusionDocument,
  head: Pick<AuditHeadDocument, 'tree_first' | 'tree_size' | 'root'>,
): Promise<AuditRow> {
  const fields: Fields = membersOf(proof, 'a proof', ['entry', 'leaf_index', 'path']);
  const { entry, leaf_index: index, path } = fields;
  if (typeof entry !== 'string' || !isWhole(index)) {
    throw new NotVerifiedError('the proof has no entry or no leaf_index');
  }
  if (!(await isIncluded(entry, index, head, hashesIn(path)))) {
    throw new NotVerifiedError('the proof does not lead to the root of the head');
  }
  const row = readDocument(entry, 'the entry') as unknown as AuditRow;
  if (row.audit_no !== head.tree_first + index) {
    throw new NotVerifiedError('the entry has another number than its place');
  }
  return row;
}

/** The answer of `GET /audit/consistency`: that the second head continues the log of the first. */
export async function verifyConsistency(
  document: Uint8Array | string,
  keys: ProofKeys,
): Promise<{ readonly from: AuditHeadDocument; readonly to: AuditHeadDocument }> {
  const names = 'document from to path'.split(' ');
  const fields = membersOf(readDocument(document, 'the proof'), 'a consistency proof', names);
  if (fields.document !== 'unwrite audit consistency') {
    throw new NotVerifiedError('it is not a consistency proof');
  }
  const from = await readHeadDocument(fields.from, keys);
  const to = await readHeadDocument(fields.to, keys);
  const isOne = from.tree_first === to.tree_first;
  if (isOne && (await isContinued(from, to, hashesIn(fields.path)))) return { from, to };
  throw new NotVerifiedError(`head ${to.head_no} does not continue head ${from.head_no}`);
}
