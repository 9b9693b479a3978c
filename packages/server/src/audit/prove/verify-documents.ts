// Verifies heads and proofs without a store: every member is checked, nothing is trusted.
import type { HeadEnd, VerifySignature } from '../../domain/audit/proof-ports.ts';
import { isObject } from '../../domain/is-object.ts';
import { isOurHead } from '../authentic.ts';
import { hex, treeSize } from '../chain.ts';
import { bytesIn, type Fields, NotAnExport, textIn, wholeNumberIn } from '../export/fields.ts';
import { signedHead } from '../export/shapes.ts';
import { hashLeaf } from '../tree/merkle.ts';
import { isConsistent, rootOfInclusion } from '../tree/verify-paths.ts';

/** The message says what is wrong, and where. */
export class NotProven extends Error {
  override readonly name = 'NotProven';
}

/** A head that is a document by itself, and in proofs. */
export function readHeadDocument(value: unknown, verify: VerifySignature): HeadEnd {
  const { document, ...members } = objectIn(value, 'a head');
  if (document !== 'unwrite audit head' || Object.keys(value as Fields)[0] !== 'document') {
    throw new NotProven('a head must begin with "document": "unwrite audit head"');
  }
  return readSignedHead(members, verify);
}

/** A head, signed by the key. */
export function readSignedHead(value: unknown, verify: VerifySignature): HeadEnd {
  const members = objectIn(value, 'a head');
  const head = readMembers(members);
  if (JSON.stringify(signedHead(head)) !== JSON.stringify(members)) {
    throw new NotProven(
      `head ${head.headNo} is not as it was written: a member is missing, added or in another place`,
    );
  }
  if (!isOurHead(head, verify)) {
    throw new NotProven(`head ${head.headNo} is not signed by the key, or was changed`);
  }
  return head;
}

function readMembers(members: Fields): HeadEnd {
  try {
    return {
      headNo: wholeNumberIn(members, 'head_no'),
      firstAuditNo: wholeNumberIn(members, 'first_audit_no'),
      lastAuditNo: wholeNumberIn(members, 'last_audit_no'),
      time: wholeNumberIn(members, 'time'),
      treeFirst: wholeNumberIn(members, 'tree_first'),
      rowsHash: bytesIn(members, 'root'),
      previousHash: bytesIn(members, 'previous_hash'),
      hash: bytesIn(members, 'hash'),
      keyId: textIn(members, 'key_id'),
      signature: bytesIn(members, 'signature'),
    };
  } catch (error) {
    throw error instanceof NotAnExport ? new NotProven(error.message) : error;
  }
}

/** The row that the proof is about, as it is in the log. */
export function readInclusion(value: unknown, head: HeadEnd): Fields {
  const names = ['entry', 'leaf_index', 'path'];
  const { entry, leaf_index: index, path } = membersIn(value, 'a proof', names);
  if (typeof entry !== 'string' || !Number.isSafeInteger(index)) {
    throw new NotProven('the proof has no entry or no leaf_index');
  }
  const leafIndex = Number(index);
  const root = rootOfInclusion(hashLeaf(entry), leafIndex, treeSize(head), hashesIn(path));
  if (root === undefined || hex(root) !== hex(head.rowsHash)) {
    throw new NotProven(`the proof does not lead to the root of head ${head.headNo}`);
  }
  const row = objectIn(JSON.parse(entry), 'the entry');
  if (row.audit_no !== head.treeFirst + leafIndex) {
    throw new NotProven('the entry has another number than its place');
  }
  return row;
}

export interface Consistency {
  readonly from: HeadEnd;
  readonly to: HeadEnd;
}

export function readConsistency(value: unknown, verify: VerifySignature): Consistency {
  const names = ['document', 'from', 'to', 'path'];
  const { from: older, to: newer, path } = membersIn(value, 'a consistency proof', names);
  const [from, to] = [readHeadDocument(older, verify), readHeadDocument(newer, verify)];
  const hashes = hashesIn(path);
  if (from.treeFirst === to.treeFirst && isConsistent(stateOf(from), stateOf(to), hashes)) {
    return { from, to };
  }
  throw new NotProven(`head ${to.headNo} does not continue head ${from.headNo}`);
}

const stateOf = (head: HeadEnd) => ({ size: treeSize(head), root: head.rowsHash });

export function objectIn(value: unknown, what: string): Fields {
  if (isObject(value)) return value;
  throw new NotProven(`${what} must be a JSON object`);
}

/** An object with these members in this order, and no others. */
export function membersIn(value: unknown, what: string, names: readonly string[]): Fields {
  const fields = objectIn(value, what);
  const given = Object.keys(fields);
  if (given.length === names.length && names.every((name, at) => given[at] === name)) return fields;
  throw new NotProven(
    `${what} must have these members and no others, in this order: ${names.join(', ')}`,
  );
}

function hashesIn(path: unknown): Buffer[] {
  const isHash = (it: unknown) => typeof it === 'string' && /^[0-9a-f]{64}$/.test(it);
  if (!Array.isArray(path) || !path.every(isHash)) {
    throw new NotProven('path must be a list of SHA-256 hashes in hexadecimal');
  }
  return path.map((it) => Buffer.from(String(it), 'hex'));
}
