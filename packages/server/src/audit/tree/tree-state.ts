// The state of the tree while a verifier follows it from head to head.
import type { AuditHead } from '../../domain/audit/proof-ports.ts';
import { hex, treeSize } from '../chain.ts';
import type { VerifiableChain } from '../verifiable-chain.ts';
import { addLeaves, NO_PEAKS, type Peaks, peakPlaces, rootOf } from './peaks.ts';

export interface TreeState {
  readonly first: number;
  readonly peaks: Peaks;
}

export const newTree = (first: number): TreeState => ({ first, peaks: NO_PEAKS });

export function grown(tree: TreeState, leaves: readonly Uint8Array[]): TreeState {
  return { first: tree.first, peaks: addLeaves(tree.peaks, leaves) };
}

export function leadsTo({ peaks }: TreeState, head: Pick<AuditHead, 'rowsHash'>): boolean {
  const root = rootOf(peaks);
  return root !== undefined && hex(root) === hex(head.rowsHash);
}

/**
 * The state at a head whose rows are missing, from the stored hashes; undefined if these do not lead to its
 * root.
 */
export async function treeAt(
  chain: VerifiableChain,
  head: AuditHead,
): Promise<TreeState | undefined> {
  const hashes = await chain.peaks(head);
  const size = treeSize(head);
  if (hashes === undefined || hashes.length !== peakPlaces(size).length) return undefined;
  const tree = { first: head.treeFirst, peaks: { size, hashes } };
  return leadsTo(tree, head) ? tree : undefined;
}
