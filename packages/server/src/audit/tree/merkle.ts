// A Merkle tree as in RFC 9162, section 2.1: SHA-256, with a zero byte before a leaf and a one byte before
// two hashes. Sizes are numbers, not bit fields, because they may exceed 2^32.
import { hash } from 'node:crypto';

export const HASH_BYTES = 32;

/** Hashes into a latin1 text first: this costs half as much as getting a Buffer directly. */
const sha256 = (data: string | Uint8Array): Buffer =>
  Buffer.from(hash('sha256', data, 'latin1'), 'latin1');

/** The hash of an entry's UTF-8 bytes. */
export const hashLeaf = (entry: string): Buffer => sha256(`\0${entry}`);

/** A reused buffer: nothing else runs between filling and hashing it. */
const both = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) {
    throw new RangeError('a hash must have 32 bytes');
  }
  both.set(left, 1);
  both.set(right, 1 + HASH_BYTES);
  return sha256(both);
}

/** Hashes the two hashes at `at` and writes the result to half that offset. */
export function joinInPlace(hashes: Buffer, at: number): void {
  hashes.copy(both, 1, at, at + 2 * HASH_BYTES);
  hashes.write(hash('sha256', both, 'latin1'), at / 2, 'latin1');
}

/** The hash of a complete subtree with 2^height leaves, starting at leaf `index * 2^height`. */
export type ReadNode = (height: number, index: number) => Promise<Uint8Array>;

/** MTH(D[from:to]) of the RFC. */
export async function hashRange(read: ReadNode, from: number, to: number): Promise<Uint8Array> {
  const size = to - from;
  const split = splitOf(size);
  if (split * 2 === size || size === 1) return read(Math.log2(size), from / size);
  const left = await hashRange(read, from, from + split);
  return hashNode(left, await hashRange(read, from + split, to));
}

/** The largest power of two that is smaller; 0.5 for one leaf. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return size === 1 ? 0.5 : split;
}

/** Section 2.1.3.1: the hashes needed to get from a leaf to the root of the tree of that size. */
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

/**
 * Section 2.1.4.1: the hashes that show that the tree of the first size is the beginning of the tree of the
 * second.
 */
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
