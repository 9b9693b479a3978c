// Verifies paths of a Merkle tree as in RFC 9162, sections 2.1.3.2 and 2.1.4.2.
import { hashNode } from './merkle.ts';

const isOdd = (n: number) => n % 2 === 1;
const half = (n: number) => Math.floor(n / 2);

/** The root that the path leads to; undefined if the path has the wrong length. */
export function rootOfInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Uint8Array | undefined {
  if (index < 0 || index >= size) return undefined;
  let [fn, sn, root] = [index, size - 1, leaf];
  for (const hash of path) {
    if (sn === 0) return undefined;
    if (isOdd(fn) || fn === sn) {
      root = hashNode(hash, root);
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else root = hashNode(root, hash);
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 ? root : undefined;
}

export interface TreeState {
  readonly size: number;
  readonly root: Uint8Array;
}

export function isConsistent(
  first: TreeState,
  second: TreeState,
  path: readonly Uint8Array[],
): boolean {
  if (first.size < 1 || first.size > second.size) return false;
  if (first.size === second.size) return path.length === 0 && isSame(first.root, second.root);
  const [start, ...rest] = isPowerOfTwo(first.size) ? [first.root, ...path] : path;
  if (start === undefined || path.length === 0) return false;
  let [fn, sn] = [first.size - 1, second.size - 1];
  while (isOdd(fn)) [fn, sn] = [half(fn), half(sn)];
  let [firstRoot, secondRoot] = [start, start];
  for (const hash of rest) {
    if (sn === 0) return false;
    if (isOdd(fn) || fn === sn) {
      [firstRoot, secondRoot] = [hashNode(hash, firstRoot), hashNode(hash, secondRoot)];
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else secondRoot = hashNode(secondRoot, hash);
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && isSame(firstRoot, first.root) && isSame(secondRoot, second.root);
}

const isPowerOfTwo = (n: number) => 2 ** Math.round(Math.log2(n)) === n;

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
