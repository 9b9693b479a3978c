// Proves which rows of the log a signed head covers. Stored hashes are not trusted: a path must lead to a root
// that we signed.
import type {
  AuditHead,
  AuditTree,
  ChainedRow,
  HeadEnd,
  VerifySignature,
} from '../../domain/audit/proof-ports.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { isOurCut, isOurHead, newestOwnHead } from '../authentic.ts';
import { digestAt, digestRow, hashRows, hex, TREE_VERSION, treeSize } from '../chain.ts';
import { createSalts, entryOf } from '../tree/entry.ts';
import { hashLeaf, inclusionPath, type ReadNode } from '../tree/merkle.ts';
import { nodesOf, TreeDamaged } from '../tree/tiles.ts';
import { rootOfInclusion } from '../tree/verify-paths.ts';
import { createChangedSince } from './changed-since.ts';

const WEEK_MS = 7 * DAY_MS;

export interface Inclusion {
  readonly entry: string;
  readonly leafIndex: number;
  readonly path: readonly Uint8Array[];
}

export interface CoveredRow {
  /** Null if a head of version 1 covers the row. */
  readonly inclusion: Inclusion | null;
  /** A node of the previous version may have written the row. */
  readonly isOfUpgrade: boolean;
}

export interface RowProver {
  /** The newest head with a tree that we signed. */
  readonly head: HeadEnd | undefined;
  /** Rows up to this time were cut because of their age. */
  readonly cutTime: number;
  /** `not yet`: no head covers the row. `changed`: it differs from the row that the head covers. */
  prove(row: ChainedRow): Promise<CoveredRow | 'not yet' | 'changed'>;
  /** What was changed since it was sealed, from this row to the newest head; undefined if nothing was. */
  changedSince(row: ChainedRow, now: number): Promise<string | undefined>;
  /** The same for all rows that were not cut. */
  changedSinceCut(): Promise<string | undefined>;
}

export async function openRowProver(
  tree: AuditTree,
  verifySignature: VerifySignature,
): Promise<RowProver> {
  const head = await newestOwnHead(tree, verifySignature);
  const treeFirst = head?.treeFirst ?? null;
  const first = await tree.firstTreeHead();
  // Nodes of the previous version may run next to this one for a while.
  const upgradeEnd = first !== undefined && first.headNo > 1 ? first.time + WEEK_MS : 0;
  const found = await tree.cut();
  const cut = found && isOurCut(found, verifySignature) ? found : undefined;
  const since = head && createChangedSince(tree, head);
  const read: ReadNode = nodesOf(async (level, tileNo) =>
    treeFirst === null ? undefined : tree.tile(treeFirst, level, tileNo),
  );
  const heads: AuditHead[] = [];
  async function headOf(auditNo: number, version: number): Promise<AuditHead | undefined> {
    const known = heads.find(
      (it) => it.version === version && it.firstAuditNo <= auditNo && auditNo <= it.lastAuditNo,
    );
    if (known !== undefined) return known;
    const found = await tree.headOfRow(auditNo, version, head?.headNo ?? 0);
    if (found !== undefined) heads.push(found);
    return found;
  }

  async function proveLeaf(row: ChainedRow, root: HeadEnd): Promise<CoveredRow | 'changed'> {
    const own = await headOf(row.auditNo, TREE_VERSION);
    if (own?.saltSeed == null || treeFirst === null) return 'changed';
    const entry = entryOf(row, createSalts(own.saltSeed, row.auditNo)(row.auditNo));
    const leafIndex = row.auditNo - treeFirst;
    const path = await inclusionPath(read, leafIndex, treeSize(root));
    const found = rootOfInclusion(hashLeaf(entry), leafIndex, treeSize(root), path);
    if (found === undefined || hex(found) !== hex(root.rowsHash)) return 'changed';
    const isOfUpgrade = own.time <= upgradeEnd && isOurHead(own, verifySignature);
    return { inclusion: { entry, leafIndex, path }, isOfUpgrade };
  }

  async function proveOld(row: ChainedRow): Promise<CoveredRow | 'changed'> {
    const own = await headOf(row.auditNo, 1);
    if (own?.rowDigests == null || !isOurHead(own, verifySignature)) return 'changed';
    if (hex(hashRows(own.rowDigests)) !== hex(own.rowsHash)) return 'changed';
    const digest = digestAt(own.rowDigests, row.auditNo - own.firstAuditNo);
    return digestRow(row) === hex(digest) ? { inclusion: null, isOfUpgrade: true } : 'changed';
  }

  return {
    head,
    changedSince: async (row, now) => since?.row(row, now),
    changedSinceCut: async () => since?.all((cut?.lastAuditNo ?? 0) + 1),
    cutTime: cut?.headTime ?? 0,
    async prove(row) {
      if (head === undefined || treeFirst === null || row.auditNo > head.lastAuditNo) {
        return 'not yet';
      }
      try {
        return row.auditNo < treeFirst ? await proveOld(row) : await proveLeaf(row, head);
      } catch (error) {
        if (error instanceof TreeDamaged) return 'changed';
        throw error;
      }
    },
  };
}
