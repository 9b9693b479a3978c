// Verifies the rows that a head added to the tree, each by its leaf, and the tree by the signed
// root.
import type { AuditHead, ChainedRow } from '../domain/audit/proof-ports.ts';
import { hex } from './chain.ts';
import { leavesOf, missingEntry } from './tree/entry.ts';
import { hashLeaf } from './tree/merkle.ts';
import { grown, leadsTo, newTree, type TreeState, treeAt } from './tree/tree-state.ts';
import type { VerifiableChain } from './verifiable-chain.ts';

const MAX_PROBLEMS = 5;
/** Far more than any head has: invented numbers must not decide how much memory this takes. */
const MAX_ROWS_OF_HEAD = 50_000_000;
const NO_BYTES = new Uint8Array();

export interface CheckedRows {
  readonly rows: number;
  readonly problems: string[];
}

/** `lost`: the tree cannot be followed, until a head whose stored tree matches its signature. */
export type FollowedTree = TreeState | 'none yet' | 'lost';

export interface CheckedTree extends CheckedRows {
  readonly tree: FollowedTree;
}

export async function checkTree(
  chain: VerifiableChain,
  head: AuditHead,
  before: FollowedTree,
): Promise<CheckedTree> {
  const { headNo, lastAuditNo, saltSeed } = head;
  const [tree, ...problems] = connect(head, before);
  const from = tree === 'lost' ? head.firstAuditNo : tree.first + tree.peaks.size;
  const found = (...more: string[]) => [...problems, ...more];
  if (lastAuditNo - from >= MAX_ROWS_OF_HEAD) {
    const problem = `head ${headNo} ends at row ${lastAuditNo}, which is more than a head can cover`;
    return { rows: 0, problems: found(problem), tree: 'lost' };
  }
  const asStored = async () => (await treeAt(chain, head)) ?? 'lost';
  const rows = await chain.rows(from, lastAuditNo);
  const rowsOfHead = `rows of head ${headNo} (${from} to ${lastAuditNo})`;
  if (rows.length === 0) {
    const problem = `the ${rowsOfHead} were removed, and no signed record says that they were removed by retention`;
    return { rows: 0, problems: found(problem), tree: await asStored() };
  }
  if (saltSeed === null && rows.some(({ salt }) => salt === undefined)) {
    const problem = `the salts of head ${headNo} were removed: its rows cannot be checked`;
    return { rows: 0, problems: found(problem), tree: await asStored() };
  }
  const leaves = leavesOf(rows, from, lastAuditNo, saltSeed ?? NO_BYTES);
  const stored = await chain.leaves(head, from);
  const byStored = stored === undefined || tree === 'lost' ? 'lost' : grown(tree, stored);
  if (stored !== undefined && (byStored === 'lost' || leadsTo(byStored, head))) {
    const checked = compare(rows, leaves, stored, from, headNo);
    const next = byStored === 'lost' ? await asStored() : byStored;
    return { rows: checked.rows, problems: found(...checked.problems), tree: next };
  }
  const byRows = tree === 'lost' ? 'lost' : grown(tree, leaves);
  if (byRows !== 'lost' && leadsTo(byRows, head)) {
    const problem = `the stored hashes of the ${rowsOfHead} were changed; the rows were not`;
    return { rows: rows.length, problems: found(problem), tree: byRows };
  }
  const problem = `${rowsOfHead} were changed, and the stored hashes that would tell which`;
  return { rows: 0, problems: found(problem), tree: await asStored() };
}

/** The tree that the head adds to, and what is wrong with it. */
function connect(head: AuditHead, before: FollowedTree): [TreeState | 'lost', ...string[]] {
  const { headNo, treeFirst, firstAuditNo } = head;
  if (before === 'lost') return ['lost'];
  if (before !== 'none yet' && before.first === treeFirst) return [before];
  const isBeginning = treeFirst === firstAuditNo;
  if (isBeginning && before === 'none yet') return [newTree(treeFirst)];
  return isBeginning
    ? [
        newTree(treeFirst),
        `head ${headNo} begins a new tree: the stored hashes of the one before it were changed`,
      ]
    : ['lost', `head ${headNo} cannot be connected with the tree before it`];
}

function compare(
  rows: readonly ChainedRow[],
  leaves: readonly Uint8Array[],
  stored: readonly Uint8Array[],
  from: number,
  headNo: number,
): CheckedRows {
  const there = new Set(rows.map(({ auditNo }) => auditNo));
  const problems: string[] = [];
  let same = 0;
  for (const [index, leaf] of leaves.entries()) {
    if (problems.length >= MAX_PROBLEMS) break;
    const auditNo = from + index;
    const isThere = there.has(auditNo);
    const sealed = hex(stored[index] ?? NO_BYTES);
    if (sealed === hex(leaf)) {
      if (isThere) same++;
      else problems.push(`row ${auditNo} was removed before head ${headNo} was made`);
    } else if (isThere && sealed === hex(hashLeaf(missingEntry(auditNo)))) {
      problems.push(`row ${auditNo} was inserted after head ${headNo} was made`);
    } else problems.push(`row ${auditNo} was ${isThere ? 'changed' : 'removed'}`);
  }
  return { rows: same, problems };
}
