// Covers the rows since the last head by a new head. Stored data is not trusted: the last head must be signed by us,
// the stored hashes must lead to its root, and no number may be missing. Otherwise nothing is sealed until a person
// has accepted the damage. A row without our MAC is not covered: its leaf says that there is no row of ours.
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
import { isOurHead } from './authentic.ts';
import { FIRST_PREVIOUS_HASH, hashHead, hex, treeSize } from './chain.ts';
import { createSignatureVerifier } from './proof-key.ts';
import { leavesOf, SEED_BYTES } from './tree/entry.ts';
import { hashRange } from './tree/merkle.ts';
import { nodesOf, type ReadTile, TreeDamaged, tilesWith } from './tree/tiles.ts';

/** More rows than a few busy seconds produce; the rest is covered by the next head. */
const MAX_ROWS = 50_000;

/** The log cannot be continued: someone else wrote to it. */
export class LogDamaged extends Error {
  override readonly name = 'LogDamaged';
}

export interface Sealed {
  readonly head: AuditHead;
  /** Numbers of rows that carry no MAC of ours. */
  readonly foreign: readonly number[];
}

interface Tail {
  /** The first number that the head covers. */
  readonly first: number;
  readonly rows: readonly ChainedRow[];
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

  async function lastHead(): Promise<HeadEnd | undefined> {
    const head = await store.newestHead();
    if (head === undefined || isOurHead(head, verifySignature)) return head;
    throw new LogDamaged(`head ${head.headNo} of the audit log is not signed by Unwrite`);
  }

  async function nextAfter(covered: number): Promise<number | undefined> {
    const numbered = async () => (await store.rowsAfter(covered, 1))[0]?.auditNo;
    const next = await numbered();
    // After a gap, new rows would get numbers that are not theirs.
    if (next !== undefined && next !== covered + 1) return next;
    await store.numberRows(MAX_ROWS, covered);
    return numbered();
  }

  /** The rows to cover, up to the next missing one. */
  async function wholeTail(covered: number): Promise<Tail | undefined> {
    const next = await nextAfter(covered);
    const rows = await store.rows(covered, covered + MAX_ROWS);
    if (covered > 0 && rows.shift()?.auditNo !== covered) {
      throw new LogDamaged(`row ${covered} of the audit log was removed`);
    }
    if (next === undefined) return undefined;
    const first = covered + 1;
    if (next > first) {
      const missing =
        next === first + 1
          ? `row ${first} of the audit log was`
          : `rows ${first} to ${next - 1} of the audit log were`;
      throw new LogDamaged(`${missing} removed`);
    }
    const end = rows.findIndex(({ auditNo }, at) => auditNo !== first + at);
    return { first, rows: end === -1 ? rows : rows.slice(0, end) };
  }

  /** All rows. A gap that is too large for leaves is left out. */
  async function acceptedTail(covered: number): Promise<Tail | undefined> {
    const next = await nextAfter(covered);
    if (next === undefined) return undefined;
    const first = next - covered > MAX_ROWS ? next : covered + 1;
    return { first, rows: await store.rows(first, first + MAX_ROWS - 1) };
  }

  async function isTreeWhole(last: HeadEnd): Promise<boolean> {
    try {
      const root = await hashRange(nodesOf(tileOf(last.treeFirst)), 0, treeSize(last));
      return hex(root) === hex(last.rowsHash);
    } catch (error) {
      if (error instanceof TreeDamaged) return false;
      throw error;
    }
  }

  /** With `isAccepted`, a person has accepted what is missing: it is covered as missing, or a new tree begins. */
  return async (now: number, isAccepted = false): Promise<Sealed | undefined> => {
    const last = await lastHead();
    const covered = last?.lastAuditNo ?? 0;
    const tail = await (isAccepted ? acceptedTail(covered) : wholeTail(covered));
    const lastAuditNo = tail?.rows.at(-1)?.auditNo;
    if (tail === undefined || lastAuditNo === undefined) return undefined;
    const isWhole = last === undefined || (await isTreeWhole(last));
    if (!(isWhole || isAccepted)) {
      throw new LogDamaged('the stored hashes of the audit log were changed');
    }
    const { first: firstAuditNo } = tail;
    const isContinued = last !== undefined && isWhole && firstAuditNo === covered + 1;
    const treeFirst = isContinued ? last.treeFirst : firstAuditNo;
    const size = isContinued ? treeSize(last) : 0;
    const own = tail.rows.filter(store.isAuthentic);
    const seed = randomBytes(SEED_BYTES);
    const leaves = leavesOf(own, firstAuditNo, lastAuditNo, seed);
    const tiles = await tilesWith(tileOf(treeFirst), size, leaves);
    const unsigned = {
      headNo: (last?.headNo ?? 0) + 1,
      firstAuditNo,
      lastAuditNo,
      time: now,
      previousHash: last?.hash ?? FIRST_PREVIOUS_HASH,
      rowsHash: await rootWith(tileOf(treeFirst), tiles, size + leaves.length),
      treeFirst,
      keyId: signer.keyId,
    };
    const hash = hashHead(unsigned);
    const signature = signer.sign(hash);
    const head: AuditHead = { ...unsigned, hash, signature, saltSeed: seed };
    if (!(await store.addHead(head, tiles))) return undefined;
    const ours = new Set(own);
    const foreign = tail.rows.filter((row) => !ours.has(row)).map(({ auditNo }) => auditNo);
    return { head, foreign };
  };
}

/** New tiles take precedence over stored ones. */
async function rootWith(stored: ReadTile, tiles: readonly AuditTile[], size: number) {
  const made = new Map(tiles.map((tile) => [`${tile.level} ${tile.tileNo}`, tile.hashes]));
  const read: ReadTile = async (level, tileNo) =>
    made.get(`${level} ${tileNo}`) ?? stored(level, tileNo);
  return hashRange(nodesOf(read), 0, size);
}
