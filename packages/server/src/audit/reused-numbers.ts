// SQLite numbers a row after the last one that is there. If someone deletes the newest rows of the log, the next rows
// get numbers that a head covers already: no head would cover them, and they would look like changed rows.
import type { AuditHeadStore, ChainedRow, HeadEnd } from '../domain/audit/proof-ports.ts';
import { hex } from './chain.ts';
import { createSalts, entryOf, SEED_BYTES } from './tree/entry.ts';
import { hashLeaf } from './tree/merkle.ts';
import { nodesOf, TreeDamaged } from './tree/tiles.ts';

const PAGE = 100;

/** Moves our own rows with such numbers behind the last covered one, in their order. Returns how many there were. */
export async function moveReused(
  store: AuditHeadStore,
  last: HeadEnd | undefined,
): Promise<number> {
  if (last === undefined) return 0;
  const end = Number((await store.lastUpTo(last.lastAuditNo)) ?? 0);
  const first = await firstReused(store, last, end);
  if (first > end) return 0;
  const isMoved = await store.moveBehind(first, end, last.lastAuditNo);
  return isMoved ? end - first + 1 : 0;
}

async function firstReused(store: AuditHeadStore, last: HeadEnd, end: number): Promise<number> {
  let first = end + 1;
  for (;;) {
    const page = await store.rows(first - PAGE, first - 1);
    for (const row of page.reverse()) {
      if (row.auditNo !== first - 1 || !(await isReused(store, last, row))) return first;
      first = row.auditNo;
    }
    if (page.length === 0) return first;
  }
}

/** The time alone does not tell: if the clock was set back, covered rows are newer than their head. */
async function isReused(store: AuditHeadStore, last: HeadEnd, row: ChainedRow): Promise<boolean> {
  if (row.auditNo < 1 || row.time <= last.time || !store.isAuthentic(row)) return false;
  const own = await store.headOfRow(row.auditNo, last.headNo);
  if (own?.saltSeed?.length !== SEED_BYTES) return false;
  const { treeFirst, saltSeed } = own;
  const read = nodesOf((level, tileNo) => store.tile(treeFirst, level, tileNo));
  const leaf = hashLeaf(entryOf(row, createSalts(saltSeed, row.auditNo)(row.auditNo)));
  try {
    return hex(await read(0, row.auditNo - treeFirst)) !== hex(leaf);
  } catch (error) {
    if (error instanceof TreeDamaged) return false;
    throw error;
  }
}
