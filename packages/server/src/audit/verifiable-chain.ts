// The log with the hashes of its tree, from a store or from an export.
import type { AuditChain, AuditHead, AuditTree } from '../domain/audit/proof-ports.ts';
import { treeSize } from './chain.ts';
import { peakPlaces } from './tree/peaks.ts';
import { nodesOf, readLeaves, TreeDamaged } from './tree/tiles.ts';

export interface VerifiableChain extends AuditChain {
  /** The leaves that the head added, from this row on; undefined if some of them are missing. */
  leaves(head: AuditHead, fromAuditNo: number): Promise<readonly Uint8Array[] | undefined>;
  /** The peaks of the tree at that head. */
  peaks(head: AuditHead): Promise<readonly Uint8Array[] | undefined>;
  /** A partial export begins after this head, whose rows it does not contain; 0 for a complete export. */
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
      whereWhole(() =>
        readLeaves(tileOf(treeFirst), from - treeFirst, treeSize({ treeFirst, ...head })),
      ),
    peaks: (head) =>
      whereWhole(async () => {
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
