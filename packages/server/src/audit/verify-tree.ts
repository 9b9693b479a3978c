// Verifies the rows that a head added to the tree, each by its leaf, and the tree by the signed
// root.
import type { AuditHead, ChainedRow } from '../domain/audit/proof-ports.ts';
import { readDetail } from '../domain/audit/read-detail.ts';
import { hex } from './chain.ts';
import { leavesOf, missingEntry } from './tree/entry.ts';
import { hashLeaf } from './tree/merkle.ts';
import { grown, leadsTo, newTree, type TreeState, treeAt } from './tree/tree-state.ts';
import type { VerifiableChain } from './verifiable-chain.ts';

/** Far more than any head has: invented numbers must not decide how much memory this takes. */
const MAX_ROWS_OF_HEAD = 50_000_000;
const NO_BYTES = new Uint8Array();

export interface CheckedRows {
  readonly rows: number;
  readonly problems: string[];
  /** Rows that a person has accepted as damaged, according to unchanged rows of the log. */
  readonly accepted?: readonly number[];
  /** What was signed only after a person had accepted the damage before it. */
  readonly notes?: readonly string[];
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
  const tree = connect(head, before);
  const isLost = tree === 'lost' && before !== 'lost';
  const problems = isLost ? [`head ${headNo} cannot be connected with the tree before it`] : [];
  const isNew = tree !== 'lost' && before !== 'none yet' && tree !== before;
  const notes = isNew ? [newTreeAt(headNo)] : [];
  const from = tree === 'lost' ? head.firstAuditNo : tree.first + tree.peaks.size;
  const found = (...more: string[]) => [...problems, ...more];
  if (lastAuditNo - from >= MAX_ROWS_OF_HEAD) {
    const problem = `head ${headNo} ends at row ${lastAuditNo}, which is more than a head can cover`;
    return { rows: 0, problems: found(problem), notes, tree: 'lost' };
  }
  const asStored = async () => (await treeAt(chain, head)) ?? 'lost';
  const rows = await chain.rows(from, lastAuditNo);
  const rowsOfHead = `rows of head ${headNo} (${from} to ${lastAuditNo})`;
  const stored = lastAuditNo < from ? undefined : await chain.leaves(head, from);
  if (rows.length === 0 && !(stored !== undefined && areMissing(stored, from))) {
    const problem = `the ${rowsOfHead} were removed, and no signed record says that they were removed by retention`;
    return { rows: 0, problems: found(problem), notes, tree: await asStored() };
  }
  if (saltSeed === null && rows.some(({ salt }) => salt === undefined)) {
    const problem = `the salts of head ${headNo} were removed: its rows cannot be checked`;
    return { rows: 0, problems: found(problem), notes, tree: await asStored() };
  }
  const leaves = leavesOf(rows, from, lastAuditNo, saltSeed ?? NO_BYTES);
  const byStored = stored === undefined || tree === 'lost' ? 'lost' : grown(tree, stored);
  if (stored !== undefined && (byStored === 'lost' || leadsTo(byStored, head))) {
    const checked = compare(rows, leaves, stored, from, headNo);
    const next = byStored === 'lost' ? await asStored() : byStored;
    return { ...checked, problems: found(...checked.problems), notes, tree: next };
  }
  const byRows = tree === 'lost' ? 'lost' : grown(tree, leaves);
  if (byRows !== 'lost' && leadsTo(byRows, head)) {
    const problem = `the stored hashes of the ${rowsOfHead} were changed; the rows were not`;
    return { rows: rows.length, problems: found(problem), notes, tree: byRows };
  }
  const problem = `${rowsOfHead} were changed, and the stored hashes that would tell which`;
  return { rows: 0, problems: found(problem), notes, tree: await asStored() };
}

/** The tree that the head adds to. */
function connect({ treeFirst, firstAuditNo }: AuditHead, before: FollowedTree): TreeState | 'lost' {
  if (before === 'lost') return 'lost';
  if (before !== 'none yet' && before.first === treeFirst) return before;
  return treeFirst === firstAuditNo ? newTree(treeFirst) : 'lost';
}

const newTreeAt = (headNo: number) =>
  `head ${headNo} begins a new tree: the hashes before it were changed, or too many rows were missing`;

/** No row of ours had one of these numbers when the head was made. */
const areMissing = (stored: readonly Uint8Array[], from: number) =>
  stored.every((leaf, at) => hex(leaf) === hex(hashLeaf(missingEntry(from + at))));

function acceptedRows(row: ChainedRow): number[] {
  if (row.action !== 'audit.damage_accepted') return [];
  const { rows } = readDetail(row);
  return Array.isArray(rows) ? rows.map(Number) : [];
}

function compare(
  rows: readonly ChainedRow[],
  leaves: readonly Uint8Array[],
  stored: readonly Uint8Array[],
  from: number,
  headNo: number,
): CheckedRows {
  const there = new Map(rows.map((row) => [row.auditNo, row]));
  const problems: string[] = [];
  const same: ChainedRow[] = [];
  for (const [index, leaf] of leaves.entries()) {
    const auditNo = from + index;
    const row = there.get(auditNo);
    const sealed = hex(stored[index] ?? NO_BYTES);
    if (sealed === hex(leaf)) {
      if (row !== undefined) same.push(row);
      else problems.push(`row ${auditNo} was removed before head ${headNo} was made`);
    } else if (row !== undefined && sealed === hex(hashLeaf(missingEntry(auditNo)))) {
      problems.push(
        `row ${auditNo} was not written by Unwrite, or was changed before head ${headNo} was made`,
      );
    } else problems.push(`row ${auditNo} was ${row === undefined ? 'removed' : 'changed'}`);
  }
  return { rows: same.length, problems, accepted: same.flatMap(acceptedRows) };
}
