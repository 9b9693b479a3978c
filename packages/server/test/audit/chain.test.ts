import { describe, expect, it } from 'vitest';
import { hashHead, hex } from '../../src/audit/chain.ts';

const HEAD = {
  headNo: 2,
  firstAuditNo: 4,
  lastAuditNo: 9,
  time: Date.parse('2026-11-15T12:00:00Z'),
  previousHash: Buffer.alloc(32, 1),
  rowsHash: Buffer.alloc(32, 2),
  treeFirst: 1,
  keyId: 'key',
};

describe('the hash of a head', () => {
  it.each<[string, Partial<typeof HEAD>]>([
    ['number', { headNo: 3 }],
    ['first row', { firstAuditNo: 5 }],
    ['last row', { lastAuditNo: 8 }],
    ['time', { time: HEAD.time + 1 }],
    ['head before it', { previousHash: Buffer.alloc(32, 3) }],
    ['rows', { rowsHash: Buffer.alloc(32, 3) }],
    ['first leaf', { treeFirst: 2 }],
    ['key', { keyId: 'another' }],
  ])('changes with its %s', (_, changes) => {
    expect(hex(hashHead({ ...HEAD, ...changes }))).not.toBe(hex(hashHead(HEAD)));
  });

  it('changes if numbers are grouped differently', () => {
    const [one, other] = [
      { firstAuditNo: 1, lastAuditNo: 23 },
      { firstAuditNo: 12, lastAuditNo: 3 },
    ].map((numbers) => hex(hashHead({ ...HEAD, ...numbers })));
    expect(one).not.toBe(other);
  });
});
