// Covers the rows since the last head by a new head. Stored data is not trusted: rows must carry our MAC, the
// last head must be signed by us, and the stored hashes of the tree must lead to its root.
import { randomBytes } from 'node:crypto';
import type {
  AuditHead,
  AuditHeadStore,
  AuditTile,
  ChainedRow,
  HeadEnd,
  ProofSigner,
  VerifySignature,
} from '../domain/audit/proof-ports.ts';
import { findBreak } from '../domain/audit/row-numbers.ts';
import { isOurCut, isOurHead } from './authentic.ts';
import { FIRST_PREVIOUS_HASH, hashHead, hex, treeSize } from './chain.ts';
import { createSignatureVerifier } from './proof-key.ts';
import { moveReused } from './reused-numbers.ts';
import { leavesOf, SEED_BYTES } from './tree/entry.ts';
import { hashRange } from './tree/merkle.ts';
import { nodesOf, type ReadTile, TreeDamaged, tilesWith } from './tree/tiles.ts';

/** More rows than a few busy seconds produce; the rest is covered by the next head. */
const MAX_ROWS = 50_000;
/** Maximum number of rows with far too large numbers that are removed at one time. */
const MAX_SET_ASIDE = 100;
/** Maximum number of rows without our MAC that are removed in one transaction. */
const MAX_STRANGE = 1000;
const PAGE = 100;

/** No head in the store is signed by a key that we know: the log must not be continued from it. */
export class NoKnownHead extends Error {
  override readonly name = 'NoKnownHead';
}

export interface Sealed {
  readonly head: AuditHead;
  /** How many rows were missing when they should have been sealed. */
  readonly missingRows: number;
  /** How many rows, heads and records that we did not write were removed from the log. */
  readonly setAside: number;
  /** How many rows had numbers of covered rows, which someone had deleted. */
  readonly reused: number;
  /** The stored hashes of the tree were damaged: this head begins a new tree. */
  readonly isNewTree: boolean;
}

interface Tree {
  readonly first: number;
  readonly size: number;
  readonly isDamaged: boolean;
}

export function createSealAudit(
  store: AuditHeadStore,
  signer: ProofSigner,
  verifySignature: VerifySignature = createSignatureVerifier([signer.publicKey]),
) {
  const tileOf =
    (treeFirst: number): ReadTile =>
    (level, tileNo) =>
      store.tile(treeFirst, level, tileNo);

  /** Sets aside heads below the first one, whose rows they could claim, and all after the last one that we signed. */
  async function lastOwnHead(now: number): Promise<[HeadEnd | undefined, number]> {
    const isBelow = await store.hasHeadBelowFirst();
    if (isBelow) await store.setHeadsAside([], now);
    const newest = await store.newestHead();
    if (newest === undefined || isOurHead(newest, verifySignature)) {
      return [newest, isBelow ? 1 : 0];
    }
    const strange: HeadEnd[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const page = await store.headsBefore(before, PAGE);
      const own = page.findIndex((head) => isOurHead(head, verifySignature));
      strange.push(...page.slice(0, own === -1 ? page.length : own));
      if (own !== -1) {
        await store.setHeadsAside(strange, now);
        return [page[own], Math.max(1, strange.length)];
      }
      if (page.length < PAGE) throw new NoKnownHead('no head is signed by a key that is known');
      before = page.at(-1)?.headNo ?? 0;
    }
  }

  async function treeAt(last: HeadEnd | undefined, first: number): Promise<Tree> {
    const none = { first, size: 0, isDamaged: false };
    if (last === undefined) return none;
    const tree = { first: last.treeFirst, size: treeSize(last) };
    try {
      const root = await hashRange(nodesOf(tileOf(tree.first)), 0, tree.size);
      return hex(root) === hex(last.rowsHash)
        ? { ...tree, isDamaged: false }
        : { ...none, isDamaged: true };
    } catch (error) {
      if (!(error instanceof TreeDamaged)) throw error;
      return { ...none, isDamaged: true };
    }
  }

  /** Removes rows whose numbers are too large to be ours, before other rows are numbered after them. */
  async function setFarRowsAside(first: number, now: number): Promise<number> {
    const end = first - 1 + MAX_ROWS;
    for (let setAside = 0; ; setAside++) {
      const far = await store.nextAfter(end);
      if (far === undefined || setAside === MAX_SET_ASIDE) return setAside;
      const near = Math.max(first - 1, Number((await store.lastUpTo(end)) ?? 0));
      // There really are that many rows.
      if (findBreak([{ auditNo: Number(far) }], near + 1) === 1) return setAside;
      await store.setRowAside(far, near, now);
    }
  }

  /** Reads our own rows up to the next gap in their numbers. */
  async function readOwnRows(first: number, now: number): Promise<[ChainedRow[], number]> {
    for (let setAside = 0; ; ) {
      const [rows, beyond] = await readRows(first, now);
      setAside += beyond;
      const strange = rows.filter((row) => !store.isAuthentic(row)).map(({ auditNo }) => auditNo);
      if (strange.length === 0) return [rows, setAside];
      await store.setRowsAside(strange.slice(0, MAX_STRANGE), first - 1, now);
      setAside += Math.min(strange.length, MAX_STRANGE);
    }
  }

  /**
   * Reads rows up to the next gap in their numbers. If the first number is missing, the row after the gap
   * is set aside.
   */
  async function readRows(first: number, now: number): Promise<[ChainedRow[], number]> {
    for (let setAside = 0; ; setAside++) {
      const rows = await store.rows(first, first + MAX_ROWS - 1);
      const end = findBreak(rows, first);
      const next = rows[0]?.auditNo.toString();
      if (end > 0 || next === undefined || setAside === MAX_SET_ASIDE) {
        return [rows.slice(0, end), setAside];
      }
      await store.setRowAside(next, first - 1, now);
    }
  }

  /** Removes rows with numbers below all rows that are kept. */
  async function setOldRowsAside(now: number): Promise<number> {
    const cut = await store.cut();
    const floor = cut !== undefined && isOurCut(cut, verifySignature) ? cut.lastAuditNo : 0;
    let setAside = 0;
    for (; setAside < MAX_SET_ASIDE; setAside++) {
      const row = await store.anyUpTo(floor);
      if (row === undefined) break;
      await store.setRowAside(row, undefined, now);
    }
    return setAside;
  }

  return async (now: number): Promise<Sealed | undefined> => {
    const [last, strangeHeads] = await lastOwnHead(now);
    const firstAuditNo = (last?.lastAuditNo ?? 0) + 1;
    const farRows = await setFarRowsAside(firstAuditNo, now);
    const reused = await moveReused(store, last);
    await store.numberRows(MAX_ROWS, firstAuditNo - 1);
    const oldRows = await setOldRowsAside(now);
    const [rows, strangeRows] = await readOwnRows(firstAuditNo, now);
    const lastAuditNo = rows.at(-1)?.auditNo;
    if (lastAuditNo === undefined) return undefined;
    const tree = await treeAt(last, firstAuditNo);
    const seed = randomBytes(SEED_BYTES);
    const leaves = leavesOf(rows, tree.first + tree.size, lastAuditNo, seed);
    const tiles = await tilesWith(tileOf(tree.first), tree.size, leaves);
    const root = await rootWith(tileOf(tree.first), tiles, tree.size + leaves.length);
    const unsigned = {
      headNo: (last?.headNo ?? 0) + 1,
      firstAuditNo,
      lastAuditNo,
      time: now,
      previousHash: last?.hash ?? FIRST_PREVIOUS_HASH,
      rowsHash: root,
      treeFirst: tree.first,
      keyId: signer.keyId,
    };
    const hash = hashHead(unsigned);
    const signature = signer.sign(hash);
    const head: AuditHead = { ...unsigned, hash, signature, saltSeed: seed };
    if (!(await store.addHead(head, tiles))) return undefined;
    return {
      head,
      missingRows: lastAuditNo - firstAuditNo + 1 - rows.length,
      setAside: strangeHeads + farRows + strangeRows + oldRows,
      reused,
      isNewTree: tree.isDamaged,
    };
  };
}

/** New tiles take precedence over stored ones. */
async function rootWith(stored: ReadTile, tiles: readonly AuditTile[], size: number) {
  const made = new Map(tiles.map((tile) => [`${tile.level} ${tile.tileNo}`, tile.hashes]));
  const read: ReadTile = async (level, tileNo) =>
    made.get(`${level} ${tileNo}`) ?? stored(level, tileNo);
  return hashRange(nodesOf(read), 0, size);
}
