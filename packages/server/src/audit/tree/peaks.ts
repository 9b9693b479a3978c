// A tree that only grows, kept as the roots of its complete subtrees: enough to add leaves and to compute the
// root.
import { hashNode } from './merkle.ts';

export interface Peaks {
  readonly size: number;
  /** The largest subtree first. */
  readonly hashes: readonly Uint8Array[];
}

export const NO_PEAKS: Peaks = { size: 0, hashes: [] };

export function addLeaves({ size, hashes }: Peaks, leaves: readonly Uint8Array[]): Peaks {
  const peaks = [...hashes];
  let count = size;
  for (const leaf of leaves) {
    let peak: Uint8Array = leaf;
    // One subtree for each bit of the size, joined from the lowest bit up.
    for (let bits = count; bits % 2 === 1; bits = Math.floor(bits / 2)) {
      const left = peaks.pop();
      if (left !== undefined) peak = hashNode(left, peak);
    }
    peaks.push(peak);
    count++;
  }
  return { size: count, hashes: peaks };
}

export function rootOf({ hashes }: Peaks): Uint8Array | undefined {
  return hashes.reduceRight<Uint8Array | undefined>(
    (right, left) => (right === undefined ? left : hashNode(left, right)),
    undefined,
  );
}

/** Heights and positions of the complete subtrees of a tree of that size, the largest first. */
export function peakPlaces(size: number): { readonly height: number; readonly index: number }[] {
  const places = [];
  let from = 0;
  for (let height = 52; height >= 0; height--) {
    const leaves = 2 ** height;
    if (size - from < leaves) continue;
    places.push({ height, index: from / leaves });
    from += leaves;
  }
  return places;
}
