// The hashes of a tree as they are stored: 256 in a tile. A tile of level n has one hash for every full
// tile of the level below, so a proof reads only a few tiles however large the log is, and old leaves can
// be removed.
import type { AuditTile } from '../../domain/audit/proof-ports.ts';
import { HASH_BYTES, hashNode, hashRange, joinInPlace, type ReadNode } from './merkle.ts';
import { isSame } from './verify-paths.ts';

const WIDTH = 256;
const HEIGHT = 8;

export type ReadTile = (level: number, tileNo: number) => Promise<Uint8Array | undefined>;

/** Hashes of the tree are missing. */
export class TreeDamaged extends Error {
  override readonly name = 'TreeDamaged';
}

/** Reads each tile once. */
export function onceRead(readTile: ReadTile): ReadTile {
  const tiles = new Map<string, ReturnType<ReadTile>>();
  return (level, tileNo) => {
    const key = `${level} ${tileNo}`;
    const tile = tiles.get(key) ?? readTile(level, tileNo);
    tiles.set(key, tile);
    return tile;
  };
}

/** Each hash is computed once: proofs of neighbouring rows have most of them in common. */
export function nodesOf(readTile: ReadTile): ReadNode {
  const tileOf = onceRead(readTile);
  const nodes = new Map<string, Promise<Uint8Array>>();

  async function make(height: number, index: number): Promise<Uint8Array> {
    if (height % HEIGHT !== 0) {
      const left = await node(height - 1, 2 * index);
      return hashNode(left, await node(height - 1, 2 * index + 1));
    }
    const tile = await tileOf(height / HEIGHT, Math.floor(index / WIDTH));
    return hashesIn(tile, index % WIDTH, 1);
  }

  function node(height: number, index: number): Promise<Uint8Array> {
    const key = `${height} ${index}`;
    const known = nodes.get(key) ?? make(height, index);
    nodes.set(key, known);
    return known;
  }

  return node;
}

/**
 * Whether a leaf is in the tree with this root. A tile is compared with the tile above it once, so that most leaves cost one
 * comparison instead of a path to the root.
 */
export function createHasLeaf(
  tileOf: ReadTile,
  node: ReadNode,
  { size, root }: { readonly size: number; readonly root: Uint8Array },
) {
  /** The root is made from all hashes of the tiles that are not full. */
  let edge: Promise<boolean> | undefined;
  const isEdgeProven = () => {
    edge ??= hashRange(node, 0, size).then((found) => isSame(found, root));
    return edge;
  };

  const proven = onceRead(async (level, tileNo) => {
    const tile = await tileOf(level, tileNo);
    const count = Math.floor(size / WIDTH ** level) - tileNo * WIDTH;
    if (count < WIDTH) return (await isEdgeProven()) ? hashesIn(tile, 0, count) : undefined;
    const above = await proven(level + 1, firstTileWith(tileNo));
    const own = hashesIn(tile, 0, WIDTH);
    return above && isSame(rootOfTile(own), hashesIn(above, tileNo % WIDTH, 1)) ? own : undefined;
  });

  return async (index: number, leaf: Uint8Array): Promise<boolean> => {
    const tile = await proven(0, firstTileWith(index));
    return tile !== undefined && isSame(leaf, hashesIn(tile, index % WIDTH, 1));
  };
}

/** A tile may have more hashes by now, because others add to it. */
function hashesIn(tile: Uint8Array | undefined, from: number, count: number): Uint8Array {
  const end = (from + count) * HASH_BYTES;
  if (tile === undefined || tile.length < end) throw new TreeDamaged('hashes are missing');
  return tile.subarray(from * HASH_BYTES, end);
}

/** The hash of a full tile. Computed in place in a copy, because it runs for every 256 rows. */
function rootOfTile(tile: Uint8Array): Buffer {
  const hashes = Buffer.from(tile);
  for (let size = WIDTH; size > 1; size /= 2) {
    for (let i = 0; i < size; i += 2) {
      joinInPlace(hashes, i * HASH_BYTES);
    }
  }
  return hashes.subarray(0, HASH_BYTES);
}

export function splitHashes(row: Uint8Array): Uint8Array[] {
  const hashes: Uint8Array[] = [];
  for (let at = 0; at < row.length; at += HASH_BYTES)
    hashes.push(row.subarray(at, at + HASH_BYTES));
  return hashes;
}

/** The tiles that new leaves change or add, each complete. */
export async function tilesWith(
  readTile: ReadTile,
  size: number,
  leaves: readonly Uint8Array[],
): Promise<AuditTile[]> {
  const tiles: AuditTile[] = [];
  let before = size;
  let added = leaves;
  for (let level = 0; added.length > 0; level++) {
    const firstTile = Math.floor(before / WIDTH);
    const there = before % WIDTH;
    const kept = there === 0 ? [] : [hashesIn(await readTile(level, firstTile), 0, there)];
    const row = Buffer.concat([...kept, ...added]);
    const full: Uint8Array[] = [];
    for (let at = 0, tileNo = firstTile; at < row.length; at += WIDTH * HASH_BYTES, tileNo++) {
      const hashes = row.subarray(at, at + WIDTH * HASH_BYTES);
      tiles.push({ level, tileNo, hashes });
      if (hashes.length === WIDTH * HASH_BYTES) full.push(rootOfTile(hashes));
    }
    added = full;
    before = firstTile;
  }
  return tiles;
}

/** The leaf hashes from the first number up to, but not including, the second. */
export async function readLeaves(
  readTile: ReadTile,
  from: number,
  to: number,
): Promise<Uint8Array[]> {
  const leaves: Uint8Array[] = [];
  for (let at = from; at < to; ) {
    const tileNo = Math.floor(at / WIDTH);
    const end = Math.min(to, (tileNo + 1) * WIDTH);
    leaves.push(...splitHashes(hashesIn(await readTile(0, tileNo), at % WIDTH, end - at)));
    at = end;
  }
  return leaves;
}

/** The number of the first tile that contains this leaf or later ones. */
export const firstTileWith = (leaf: number): number => Math.floor(leaf / WIDTH);
