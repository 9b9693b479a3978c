// Whether the end of the log is unchanged since it was sealed. A row that was removed or changed there may be
// the one that says that a receipt was already signed.
import type { AuditTree, ChainedRow, HeadEnd } from '../../domain/audit/proof-ports.ts';
import { hex, treeSize } from '../chain.ts';
import { leavesOf } from '../tree/entry.ts';
import { hashNode, hashRange, type ReadNode } from '../tree/merkle.ts';
import { nodesOf, TreeDamaged } from '../tree/tiles.ts';

/**
 * Receipts are usually signed within seconds, thousands at a time: then rows are only counted. If a receipt has
 * been due for longer than this, which is rare, every row since then is compared with the root.
 */
const SOON_MS = 10 * 60_000;
const HEADS_AT_ONCE = 100;

/** Reads the rows once, however many receipts need the answer. */
export function createChangedSince(tree: AuditTree, head: HeadEnd) {
  let countedFrom = head.lastAuditNo + 1;
  let compared: { readonly from: number; readonly changed: string | undefined } | undefined;

  async function areAllThere(from: number): Promise<boolean> {
    if (from >= countedFrom) return true;
    if ((await tree.countRows(from, countedFrom - 1)) < countedFrom - from) return false;
    countedFrom = from;
    return true;
  }

  async function all(from: number): Promise<string | undefined> {
    if (compared !== undefined && compared.from <= from) return compared.changed;
    const isSame = await leadsToRoot(tree, head, from);
    const changed = isSame
      ? undefined
      : `rows of the audit log from ${from} on were changed or removed`;
    compared = { from, changed };
    return changed;
  }

  return {
    all,
    /** Rows that are missing may have been accepted, and be covered as missing: the root tells. */
    async row({ auditNo, time }: ChainedRow, now: number): Promise<string | undefined> {
      const isRecent = Math.abs(now - time) < SOON_MS;
      return isRecent && (await areAllThere(auditNo)) ? undefined : all(auditNo);
    },
  };
}

/** Computes the root of the head from the present rows and, for what is before them, from the stored hashes. */
async function leadsToRoot(tree: AuditTree, head: HeadEnd, fromRow: number): Promise<boolean> {
  const { treeFirst } = head;
  // A tree that was begun anew does not have the row.
  if (fromRow < treeFirst) return true;
  try {
    const [first, leaves] = await readLeaves(tree, head, fromRow);
    const from = first - treeFirst;
    const stored = nodesOf((level, tileNo) => tree.tile(treeFirst, level, tileNo));
    const read: ReadNode = async (height, index) => {
      const width = 2 ** height;
      if ((index + 1) * width <= from) return stored(height, index);
      if (height > 0) {
        const left = await read(height - 1, 2 * index);
        return hashNode(left, await read(height - 1, 2 * index + 1));
      }
      const leaf = leaves[index - from];
      if (leaf === undefined) throw new TreeDamaged('there is no such leaf');
      return leaf;
    };
    return hex(await hashRange(read, 0, treeSize(head))) === hex(head.rowsHash);
  } catch (error) {
    if (error instanceof TreeDamaged) return false;
    throw error;
  }
}

/** Leaves of whole heads, starting with the head that covers the row. */
async function readLeaves(
  tree: AuditTree,
  last: HeadEnd,
  fromRow: number,
): Promise<[first: number, leaves: Buffer[]]> {
  const own = await tree.headOfRow(fromRow, last.headNo);
  if (own === undefined) throw new TreeDamaged('no head covers the row');
  const first = Math.min(own.firstAuditNo, fromRow);
  let next = first;
  const leaves: Buffer[] = [];
  for (let after = own.headNo - 1; next <= last.lastAuditNo; ) {
    const page = await tree.heads(after, HEADS_AT_ONCE);
    for (const { lastAuditNo, saltSeed, headNo } of page) {
      after = headNo;
      if (lastAuditNo < next || headNo > last.headNo) continue;
      if (saltSeed === null) throw new TreeDamaged('the salts are missing');
      leaves.push(...leavesOf(await tree.rows(next, lastAuditNo), next, lastAuditNo, saltSeed));
      next = lastAuditNo + 1;
    }
    if (page.length < HEADS_AT_ONCE) break;
  }
  return [first, leaves];
}
