// The log with the hashes of its tree, from a store or from an export.
import type { AuditChain, AuditHead, AuditTree } from '../domain/audit/proof-ports.ts';
import { treeSize } from './chain.ts';
import { peakPlaces } from './tree/peaks.ts';
import { nodesOf, readLeaves, TreeDamaged } from './tree/tiles.ts';

export interface VerifiableChain extends AuditChain {
  /** The leaves that the head added, from this row on; undefined where they are not there as a whole. */
  leaves(head: AuditHead, fromAuditNo: number): Promise<readonly Uint8Array[] | undefined>;
  /** Of the tree at that head. */
  peaks(head: AuditHead): Promise<readonly Uint8Array[] | undefined>;
  /** An export of a part begins after this head, whose rows are not in it; 0 where it is whole. */
  readonly beginsAfter: number;
}

export function verifiableChain(chain: AuditTree | VerifiableChain): VerifiableChain {
  if ('peaks' in chain) return chain;
  const tileOf = (treeFirst: number) => (level: number, tileNo: number) =>
    chain.tile(treeFirst, level, tileNo);
  return {
    ...chain,
    beginsAfter: 0,
    leaves: ({ treeFirst, ...head }, from) =>
      whereWhole(async () =>
        treeFirst === null
          ? undefined
          : readLeaves(tileOf(treeFirst), from - treeFirst, treeSize({ treeFirst, ...head })),
      ),
    peaks: (head) =>
      whereWhole(async () => {
        if (head.treeFirst === null) return undefined;
        const read = nodesOf(tileOf(head.treeFirst));
        const places = peakPlaces(treeSize(head));
        return Promise.all(places.map(({ height, index }) => read(height, index)));
      }),
  };
}

async function whereWhole<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TreeDamaged) return undefined;
    throw error;
  }
}
