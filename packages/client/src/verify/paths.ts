// Paths of a Merkle tree, RFC 9162, sections 2.1.3.2 and 2.1.4.2. Sizes are numbers, not bit fields: they may exceed 2^32.
import { type Bytes, fromHex, joined, sha256, toHex, utf8 } from './bytes.ts';
import { NotVerifiedError } from './not-verified.ts';

const isOdd = (n: number) => n % 2 === 1;
const half = (n: number) => Math.floor(n / 2);
const hashLeaf = (entry: string) => sha256(Uint8Array.of(0), utf8(entry));
const hashNode = (left: Uint8Array, right: Uint8Array) =>
  sha256(joined(Uint8Array.of(1), left, right));

export function hashesIn(path: unknown): Bytes[] {
  const hashes = Array.isArray(path) ? path.map((it) => fromHex(it, 32)) : [undefined];
  return hashes.map((it) => {
    if (it !== undefined) return it;
    throw new NotVerifiedError('path must be a list of SHA-256 hashes in hexadecimal');
  });
}

/** Whether the path leads from the entry at that place to the root of the tree of that size. */
export async function isIncluded(
  entry: string,
  index: number,
  tree: { readonly tree_size: number; readonly root: string },
  path: readonly Uint8Array[],
): Promise<boolean> {
  if (index >= tree.tree_size) return false;
  let [fn, sn] = [index, tree.tree_size - 1];
  let root = await hashLeaf(entry);
  for (const hash of path) {
    if (sn === 0) return false;
    if (isOdd(fn) || fn === sn) {
      root = await hashNode(hash, root);
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else root = await hashNode(root, hash);
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && toHex(root) === tree.root;
}

interface Tree {
  readonly tree_size: number;
  readonly root: string;
}

/** Whether the first tree is the beginning of the second. */
export async function isContinued(
  first: Tree,
  second: Tree,
  path: readonly Bytes[],
): Promise<boolean> {
  if (first.tree_size < 1 || first.tree_size > second.tree_size) return false;
  if (first.tree_size === second.tree_size) return path.length === 0 && first.root === second.root;
  const own = fromHex(first.root, 32);
  const isComplete = 2 ** Math.round(Math.log2(first.tree_size)) === first.tree_size;
  const [start, ...rest] = isComplete && own !== undefined ? [own, ...path] : path;
  if (start === undefined || path.length === 0) return false;
  let [fn, sn] = [first.tree_size - 1, second.tree_size - 1];
  while (isOdd(fn)) [fn, sn] = [half(fn), half(sn)];
  let [older, newer] = [start, start];
  for (const hash of rest) {
    if (sn === 0) return false;
    if (isOdd(fn) || fn === sn) {
      [older, newer] = [await hashNode(hash, older), await hashNode(hash, newer)];
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else newer = await hashNode(newer, hash);
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && toHex(older) === first.root && toHex(newer) === second.root;
}
