// Proves which rows of the log a signed head covers. Stored hashes are not trusted: a path must lead to a root
// that we signed.
import type {
  AuditHead,
  AuditTree,
  ChainedRow,
  HeadEnd,
  VerifySignature,
} from '../../domain/audit/proof-ports.ts';
import { isOurCut, isOurHead, newestOwnHead } from '../authentic.ts';
import { treeSize } from '../chain.ts';
import { createSalts, entryOf } from '../tree/entry.ts';
import { hashLeaf, inclusionPath, type ReadNode } from '../tree/merkle.ts';
import { createHasLeaf, nodesOf, onceRead, TreeDamaged } from '../tree/tiles.ts';
import { isSame, rootOfInclusion } from '../tree/verify-paths.ts';
import { createChangedSince } from './changed-since.ts';

const SALTS_AT_ONCE = 256;

export interface Inclusion {
  readonly entry: string;
  readonly leafIndex: number;
  readonly path: readonly Uint8Array[];
}

export interface RowProver {
  /** The newest head that we signed. */
  readonly head: HeadEnd | undefined;
  /** Rows up to this time were cut because of their age. */
  readonly cutTime: number;
  /** `not yet`: no head covers the row. `changed`: it differs from the row that the head covers. */
  prove(row: ChainedRow): Promise<'covered' | 'not yet' | 'changed'>;
  /** Undefined if no path leads from the row to the root. */
  inclusionOf(row: ChainedRow): Promise<Inclusion | undefined>;
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
  const treeFirst = head?.treeFirst;
  const found = await tree.cut();
  const cut = found && isOurCut(found, verifySignature) ? found : undefined;
  const since = head && createChangedSince(tree, head);
  const size = head === undefined ? 0 : treeSize(head);
  const tileOf = onceRead(async (level, tileNo) =>
    treeFirst === undefined ? undefined : tree.tile(treeFirst, level, tileNo),
  );
  const read: ReadNode = nodesOf(tileOf);
  const hasLeaf = head && createHasLeaf(tileOf, read, { size, root: head.rowsHash });
  const salts = new Map<string, (auditNo: number) => string>();
  function saltOf({ headNo }: AuditHead, seed: Uint8Array, auditNo: number): string {
    const first = auditNo - (auditNo % SALTS_AT_ONCE);
    const key = `${headNo} ${first}`;
    const known = salts.get(key) ?? createSalts(seed, first, SALTS_AT_ONCE);
    salts.set(key, known);
    return known(auditNo);
  }
  const heads: AuditHead[] = [];
  async function headOf(auditNo: number): Promise<AuditHead | undefined> {
    const known = heads.find((it) => it.firstAuditNo <= auditNo && auditNo <= it.lastAuditNo);
    if (known !== undefined) return known;
    const found = await tree.headOfRow(auditNo, head?.headNo ?? 0);
    if (found !== undefined) heads.push(found);
    return found;
  }

  async function leafOf(row: ChainedRow) {
    const own = await headOf(row.auditNo);
    if (own?.saltSeed == null || treeFirst === undefined) return undefined;
    const entry = entryOf(row, saltOf(own, own.saltSeed, row.auditNo));
    return { entry, leafIndex: row.auditNo - treeFirst, leaf: hashLeaf(entry) };
  }

  async function inclusionOf(row: ChainedRow): Promise<Inclusion | undefined> {
    const found = await leafOf(row);
    if (found === undefined || head === undefined) return undefined;
    const { entry, leafIndex, leaf } = found;
    const path = await inclusionPath(read, leafIndex, size);
    const root = rootOfInclusion(leaf, leafIndex, size, path);
    return root && isSame(root, head.rowsHash) ? { entry, leafIndex, path } : undefined;
  }

  /** The log began a new tree after damage that an operator has accepted: older rows are under the old heads. */
  async function isInOlderTree(row: ChainedRow, own: AuditHead): Promise<boolean> {
    if (own.saltSeed === null || !isOurHead(own, verifySignature)) return false;
    const leaf = hashLeaf(entryOf(row, saltOf(own, own.saltSeed, row.auditNo)));
    const index = row.auditNo - own.treeFirst;
    const ownSize = treeSize(own);
    const nodes = nodesOf((level, tileNo) => tree.tile(own.treeFirst, level, tileNo));
    const root = rootOfInclusion(leaf, index, ownSize, await inclusionPath(nodes, index, ownSize));
    return root !== undefined && isSame(root, own.rowsHash);
  }

  async function proveLeaf(row: ChainedRow): Promise<'covered' | 'changed'> {
    const own = await headOf(row.auditNo);
    if (own !== undefined && own.treeFirst !== treeFirst)
      return (await isInOlderTree(row, own)) ? 'covered' : 'changed';
    const found = await leafOf(row);
    if (found === undefined) return 'changed';
    const { leafIndex, leaf } = found;
    // Of a damaged tile, some leaves still lead to the root.
    const isCovered =
      (await hasLeaf?.(leafIndex, leaf).catch(falseIfDamaged)) || (await inclusionOf(row));
    return isCovered ? 'covered' : 'changed';
  }

  return {
    head,
    inclusionOf,
    changedSince: async (row, now) => since?.row(row, now),
    changedSinceCut: async () => since?.all((cut?.lastAuditNo ?? 0) + 1),
    cutTime: cut?.headTime ?? 0,
    async prove(row) {
      if (head === undefined || row.auditNo > head.lastAuditNo) return 'not yet';
      try {
        return await proveLeaf(row);
      } catch (error) {
        return falseIfDamaged(error) || 'changed';
      }
    },
  };
}

function falseIfDamaged(error: unknown): false {
  if (error instanceof TreeDamaged) return false;
  throw error;
}
