// A Merkle tree as in RFC 9162, section 2.1: SHA-256, a zero byte before a leaf and a one before two hashes. Sizes are
// numbers, not bit fields: they may pass 2^32.
import { hash } from 'node:crypto';

export const HASH_BYTES = 32;

/** By way of a text of as many characters: half of what it costs to have the hash as a Buffer at once. */
const sha256 = (data: string | Uint8Array): Buffer =>
  Buffer.from(hash('sha256', data, 'latin1'), 'latin1');

/** Of an entry's UTF-8. */
export const hashLeaf = (entry: string): Buffer => sha256(`\0${entry}`);

/** Used again and again: nothing runs between its filling and its hashing. */
const both = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) {
    throw new RangeError('a hash must have 32 bytes');
  }
  both.set(left, 1);
  both.set(right, 1 + HASH_BYTES);
  return sha256(both);
}

/** Of the two hashes at `at`; it is written to half of that. */
export function joinInPlace(hashes: Buffer, at: number): void {
  hashes.copy(both, 1, at, at + 2 * HASH_BYTES);
  hashes.write(hash('sha256', both, 'latin1'), at / 2, 'latin1');
}

/** The hash of a complete subtree: of the leaves from `index * 2^height` on, 2^height of them. */
export type ReadNode = (height: number, index: number) => Promise<Uint8Array>;

/** MTH(D[from:to]) of the RFC. */
export async function hashRange(read: ReadNode, from: number, to: number): Promise<Uint8Array> {
  const size = to - from;
  const split = splitOf(size);
  if (split * 2 === size || size === 1) return read(Math.log2(size), from / size);
  const left = await hashRange(read, from, from + split);
  return hashNode(left, await hashRange(read, from + split, to));
}

/** The largest power of two below it; 0.5 for one leaf. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return size === 1 ? 0.5 : split;
}

/** Section 2.1.3.1: what is needed to get from a leaf to the root of the tree of that size. */
export function inclusionPath(read: ReadNode, index: number, size: number): Promise<Uint8Array[]> {
  return pathIn(read, index, 0, size);
}

async function pathIn(
  read: ReadNode,
  index: number,
  from: number,
  to: number,
): Promise<Uint8Array[]> {
  if (to - from === 1) return [];
  const middle = from + splitOf(to - from);
  return index < middle
    ? [...(await pathIn(read, index, from, middle)), await hashRange(read, middle, to)]
    : [...(await pathIn(read, index, middle, to)), await hashRange(read, from, middle)];
}

/** Section 2.1.4.1: what shows that the tree of the first size is the beginning of that of the second. */
export function consistencyPath(
  read: ReadNode,
  first: number,
  second: number,
): Promise<Uint8Array[]> {
  return first === 0 ? Promise.resolve([]) : subproof(read, first, 0, second, true);
}

async function subproof(
  read: ReadNode,
  first: number,
  from: number,
  to: number,
  isWhole: boolean,
): Promise<Uint8Array[]> {
  if (first === to - from) return isWhole ? [] : [await hashRange(read, from, to)];
  const split = splitOf(to - from);
  const middle = from + split;
  return first <= split
    ? [...(await subproof(read, first, from, middle, isWhole)), await hashRange(read, middle, to)]
    : [
        ...(await subproof(read, first - split, middle, to, false)),
        await hashRange(read, from, middle),
      ];
}
