// A verifier of receipts, heads, proofs and exports, written from docs/verifying.md alone: it imports nothing of
// Unwrite. Each function throws where something does not verify.
import { createHash, createPublicKey, verify } from 'node:crypto';

type Json = Record<string, unknown>;

const sha256 = (...parts: (Buffer | string)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

function require(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

function isSigned(pem: string, bytes: Buffer, signature: Buffer): boolean {
  return verify(null, bytes, createPublicKey(pem), signature);
}

const bytesOf = (hex: unknown) => Buffer.from(String(hex), 'hex');
const hashesOf = (path: unknown) => (path as string[]).map((hash) => Buffer.from(hash, 'hex'));

/** The signature is over the same text without its last member. */
export function verifyReceipt(text: string, pem: string): Json {
  const receipt = JSON.parse(text) as Json;
  const { signature, ...unsigned } = receipt;
  const signed = `${JSON.stringify(unsigned, null, 2)}\n`;
  require(`${JSON.stringify(receipt, null, 2)}\n` === text, 'the receipt was reformatted');
  require(isSigned(
    pem,
    Buffer.from(signed),
    Buffer.from(String(signature), 'base64'),
  ), 'the signature of the receipt');
  const head = receipt.audit_head as Json;
  verifyHead(head, pem);
  const row = verifyInclusion(receipt.audit_proof as Json, head);
  require(row.subject_request_id === receipt.subject_request_id, 'the proof is of another request');
  require(row.controller_id === receipt.controller_id, 'the proof is of another controller');
  return receipt;
}

export function verifyHead(head: Json, pem: string): void {
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
  const hash = sha256(lines.map((line) => `${line}\n`).join(''));
  require(head.version === 1, 'the version of the head');
  require(Number(head.last_audit_no) - Number(head.tree_first) + 1 ===
    head.tree_size, 'the size of the tree');
  require(hash.toString('hex') === head.hash, 'the hash of the head');
  require(isSigned(pem, hash, bytesOf(head.signature)), 'the signature of the head');
}

const leafOf = (entry: string) => sha256(Buffer.of(0), entry);
const nodeOf = (left: Buffer, right: Buffer) => sha256(Buffer.of(1), left, right);

/** RFC 9162, 2.1.3.2. */
export function verifyInclusion(proof: Json, head: Json): Json {
  const size = BigInt(Number(head.tree_size));
  let fn = BigInt(Number(proof.leaf_index));
  let sn = size - 1n;
  require(fn < size, 'the place of the leaf');
  let r = leafOf(String(proof.entry));
  for (const p of hashesOf(proof.path)) {
    require(sn !== 0n, 'the path is too long');
    if (fn & 1n || fn === sn) {
      r = nodeOf(p, r);
      if (!(fn & 1n)) while (!(fn & 1n) && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else r = nodeOf(r, p);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  require(sn === 0n && r.toString('hex') === head.root, 'the path does not lead to the root');
  return JSON.parse(String(proof.entry)) as Json;
}

/** RFC 9162, 2.1.4.2. */
export function verifyConsistency(document: Json, pem: string): void {
  const [from, to] = [document.from as Json, document.to as Json];
  verifyHead(from, pem);
  verifyHead(to, pem);
  require(from.tree_first === to.tree_first, 'two trees');
  const [first, second] = [BigInt(Number(from.tree_size)), BigInt(Number(to.tree_size))];
  const path = hashesOf(document.path);
  if (first === second) {
    require(path.length === 0 && from.root === to.root, 'two trees of one size');
    return;
  }
  require(first < second && path.length > 0, 'the path is empty');
  if ((first & (first - 1n)) === 0n) path.unshift(bytesOf(from.root));
  let [fn, sn] = [first - 1n, second - 1n];
  while (fn & 1n) [fn, sn] = [fn >> 1n, sn >> 1n];
  const [start = Buffer.alloc(0), ...rest] = path;
  let [fr, sr] = [start, start];
  for (const c of rest) {
    require(sn !== 0n, 'the path is too long');
    if (fn & 1n || fn === sn) {
      [fr, sr] = [nodeOf(c, fr), nodeOf(c, sr)];
      if (!(fn & 1n)) while (!(fn & 1n) && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else sr = nodeOf(sr, c);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  require(fr.toString('hex') === from.root, 'the older root');
  require(sn === 0n && sr.toString('hex') === to.root, 'the newer root');
}

/** That the log has the receipt itself. */
export function verifyReceiptProof(document: Json, text: string, pem: string): void {
  const head = document.head as Json;
  verifyHead(head, pem);
  const row = verifyInclusion(document.inclusion as Json, head);
  const digest = sha256(text).toString('hex');
  require(document.receipt_sha256 === digest, 'the proof is of another receipt');
  require(row.action === 'receipt.signed', 'the row is of something else');
  require(JSON.parse(String(row.detail)).sha256 === digest, 'the row is of another receipt');
}

/** Of a whole log with a tree from its first row on: rows, heads, footer. Answers how many rows heads cover. */
export function verifyExport(text: string, pem: string): number {
  const lines = text.split('\n');
  require(lines.pop() === '', 'the last line is not whole');
  const footer = JSON.parse(lines.pop() ?? '{}') as Json;
  require(footer.type === 'footer', 'the footer is missing');
  const before = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
  require(sha256(before).toString('hex') === footer.sha256, 'the digest in the footer');
  require(footer.lines === lines.length, 'the number of lines');
  const signed = ['unwrite audit export 1', footer.lines, footer.sha256, footer.key_id];
  const hash = sha256(signed.map((line) => `${line}\n`).join(''));
  require(isSigned(pem, hash, bytesOf(footer.signature)), 'the signature of the footer');
  const leaves: Buffer[] = [];
  let previous: Json = { head_no: 0, last_audit_no: 0, hash: '0'.repeat(64) };
  let covered = 0;
  for (const line of lines.slice(1)) {
    const value = JSON.parse(line) as Json;
    if (value.type === 'row') {
      if (value.salt !== undefined) leaves.push(leafOf(line));
      continue;
    }
    require(value.type === 'head', 'a line of another type');
    verifyHead(value, pem);
    require(value.head_no === Number(previous.head_no) + 1, 'a head is missing');
    require(value.previous_hash === previous.hash, 'a head does not follow the one before it');
    require(value.first_audit_no === Number(previous.last_audit_no) + 1, 'rows are missing');
    require(leaves.length === value.tree_size, 'a row is missing');
    require(rootOf(leaves).toString('hex') === value.root, 'the root');
    previous = value;
    covered = leaves.length;
  }
  return covered;
}

/** RFC 9162, 2.1.1. */
function rootOf(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (leaves.length === 1 && only !== undefined) return only;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeOf(rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)));
}
