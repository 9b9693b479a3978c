import { describe, expect, it } from 'vitest';
import { hex } from '../../../src/audit/chain.ts';
import {
  consistencyPath,
  hashLeaf,
  hashNode,
  hashRange,
  inclusionPath,
} from '../../../src/audit/tree/merkle.ts';
import { addLeaves, NO_PEAKS, peakPlaces, rootOf } from '../../../src/audit/tree/peaks.ts';
import {
  createHasLeaf,
  nodesOf,
  type ReadTile,
  readLeaves,
  TreeDamaged,
  tilesWith,
} from '../../../src/audit/tree/tiles.ts';
import { isConsistent, rootOfInclusion } from '../../../src/audit/tree/verify-paths.ts';

/** MTH of the RFC, as it is written there. */
function rootOfAll(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (only !== undefined && leaves.length === 1) return only;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return hashNode(rootOfAll(leaves.slice(0, split)), rootOfAll(leaves.slice(split)));
}

const LEAVES = Array.from({ length: 70_000 }, (_, i) => hashLeaf(`row ${i}`));

/** Stored as sealing does: so many leaves at a time. */
async function storeLeaves(parts: readonly number[]) {
  const stored = new Map<string, Uint8Array>();
  const read = async (level: number, tileNo: number) => stored.get(`${level} ${tileNo}`);
  const all = LEAVES.slice(
    0,
    parts.reduce((a, b) => a + b),
  );
  let size = 0;
  for (const part of parts) {
    const tiles = await tilesWith(read, size, all.slice(size, size + part));
    for (const { level, tileNo, hashes } of tiles) stored.set(`${level} ${tileNo}`, hashes);
    size += part;
  }
  return { stored, read, all };
}

const hasLeafIn = (read: ReadTile, size: number, root: Uint8Array) =>
  createHasLeaf(read, nodesOf(read), { size, root });

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 255, 256, 257, 511, 512, 700, 1000];

describe('the tree', () => {
  it('has the hashes of RFC 6962, by the test vectors of its implementations', () => {
    const entries = ['', '00', '10', '2021', '3031', '40414243'];
    const more = ['5051525354555657', '606162636465666768696a6b6c6d6e6f'];
    const leaves = [...entries, ...more].map((text) =>
      hashLeaf(Buffer.from(text, 'hex').toString('latin1')),
    );
    expect(hex(rootOfAll(leaves.slice(0, 1)))).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
    expect(hex(rootOfAll(leaves.slice(0, 3)))).toBe(
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    );
    expect(hex(rootOfAll(leaves))).toBe(
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    );
  });

  it.each(SIZES)(
    'a tree of %i leaves has the root of the RFC, by its tiles and by its peaks',
    async (size) => {
      const { read, all } = await storeLeaves([size]);
      const root = hex(rootOfAll(all));
      expect(hex(await hashRange(nodesOf(read), 0, size))).toBe(root);
      expect(hex(rootOf(addLeaves(NO_PEAKS, all)) ?? Buffer.alloc(0))).toBe(root);
      expect(peakPlaces(size)).toHaveLength(addLeaves(NO_PEAKS, all).hashes.length);
    },
  );

  it('is the same however many leaves are added at a time', async () => {
    const once = await storeLeaves([70_000]);
    const often = await storeLeaves([1, 254, 1, 1, 255, 256, 60_000, 9232]);
    expect(new Set(once.stored.keys())).toEqual(new Set(often.stored.keys()));
    expect([...once.stored.keys()].some((key) => key.startsWith('2 '))).toBe(true);
    for (const [key, hashes] of once.stored)
      expect(hex(often.stored.get(key) ?? Buffer.alloc(0))).toBe(hex(hashes));
    expect((await readLeaves(often.read, 250, 600)).map(hex)).toEqual(
      once.all.slice(250, 600).map(hex),
    );
  });

  it('is not read beyond the stored hashes', async () => {
    const { stored, read } = await storeLeaves([300]);
    stored.set('0 1', (stored.get('0 1') ?? Buffer.alloc(0)).subarray(0, 32 * 43));
    await expect(hashRange(nodesOf(read), 0, 300)).rejects.toThrow(TreeDamaged);
    expect(await hashRange(nodesOf(read), 0, 299)).toBeDefined();
  });
});

describe('a leaf', () => {
  it.each(SIZES)('is in a tree of %i leaves at its own place only', async (size) => {
    const { read, all } = await storeLeaves([size]);
    const hasLeaf = hasLeafIn(read, size, rootOfAll(all));
    for (const [index, leaf] of all.entries()) {
      expect(await hasLeaf(index, leaf)).toBe(true);
      expect(await hasLeaf(index, hashLeaf('another row'))).toBe(false);
    }
  });

  it('is not in a tree whose tile was changed above or beside it, on any of three levels', async () => {
    const size = 66_000;
    const { stored, read, all } = await storeLeaves([size]);
    const root = rootOfAll(all);
    for (const key of ['0 0', '0 256', '0 257', '1 0', '1 1', '2 0']) {
      const [level = 0, tileNo = 0] = key.split(' ').map(Number);
      const index = tileNo * 256 ** (level + 1) + 1;
      const leaf = all[index] ?? Buffer.alloc(0);
      expect(await hasLeafIn(read, size, root)(index, leaf)).toBe(true);
      const hashes = Buffer.from(stored.get(key) ?? []);
      const changed = Buffer.from(hashes);
      changed.writeUInt8(changed.readUInt8(0) ^ 1, 0);
      stored.set(key, changed);
      expect(await hasLeafIn(read, size, root)(index, leaf)).toBe(false);
      stored.set(key, hashes);
    }
  });
});

describe('a proof', () => {
  it('a proof of inclusion leads to the root, for every leaf and no other', async () => {
    for (const size of SIZES.slice(0, 14)) {
      const { read, all } = await storeLeaves([size]);
      const root = hex(rootOfAll(all));
      for (const [index, leaf] of all.entries()) {
        const path = await inclusionPath(nodesOf(read), index, size);
        expect(hex(rootOfInclusion(leaf, index, size, path) ?? Buffer.alloc(0))).toBe(root);
        const wrong = [
          rootOfInclusion(hashLeaf('another'), index, size, path),
          rootOfInclusion(leaf, index, size, [...path, leaf]),
          ...(path.length > 0 ? [rootOfInclusion(leaf, index, size, path.slice(1))] : []),
          rootOfInclusion(leaf, size, size, path),
        ];
        expect(wrong.map((it) => it && hex(it))).not.toContain(root);
      }
    }
  });

  it('a proof of consistency is valid for two sizes of one tree, and no others', async () => {
    const { read, all } = await storeLeaves([600]);
    const at = (size: number) => ({ size, root: rootOfAll(all.slice(0, size)) });
    for (const second of [1, 2, 3, 7, 8, 255, 256, 257, 600]) {
      for (const first of [1, 2, 3, 4, 6, 7, 8, 128, 255, 256, 257, 599, 600]) {
        if (first > second) continue;
        const path = await consistencyPath(nodesOf(read), first, second);
        expect(isConsistent(at(first), at(second), path)).toBe(true);
        const other = { size: first, root: hashLeaf('another') };
        expect(isConsistent(other, at(second), path)).toBe(false);
        expect(isConsistent(at(first), { ...other, size: second }, path)).toBe(false);
        expect(isConsistent(at(first), at(second), [...path, other.root])).toBe(false);
        if (path.length > 0) expect(isConsistent(at(first), at(second), path.slice(1))).toBe(false);
      }
    }
  });
});
