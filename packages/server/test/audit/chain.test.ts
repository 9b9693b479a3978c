import { describe, expect, it } from 'vitest';
import { digestRow, hashHead, hex } from '../../src/audit/chain.ts';
import type { ChainedRow } from '../../src/domain/audit/proof-ports.ts';

const ROW: ChainedRow = {
  auditNo: 7,
  time: Date.parse('2026-11-15T12:00:00Z'),
  actor: 'operator:olga',
  action: 'task.released',
  controllerId: 'acme',
  subjectRequestId: 'a7551968-d5d6-44b2-9831-815ac9017798',
  detail: '{"target":"crm"}',
  requestNo: 3,
};

const HEAD = {
  headNo: 2,
  firstAuditNo: 4,
  lastAuditNo: 9,
  time: Date.parse('2026-11-15T12:00:00Z'),
  previousHash: Buffer.alloc(32, 1),
  rowsHash: Buffer.alloc(32, 2),
};

describe('the digest of a row', () => {
  it.each<[string, Partial<ChainedRow>]>([
    ['number', { auditNo: 8 }],
    ['time', { time: ROW.time + 1 }],
    ['actor', { actor: 'operator:eve' }],
    ['action', { action: 'task.retained' }],
    ['controller', { controllerId: 'globex' }],
    ['request', { subjectRequestId: 'a7551968-d5d6-44b2-9831-815ac9017799' }],
    ['detail', { detail: '{"target":"shop"}' }],
    ["request's number", { requestNo: 4 }],
    ['missing detail', { detail: null }],
    ['missing number', { requestNo: null }],
  ])('changes with its %s', (_, changes) => {
    expect(digestRow({ ...ROW, ...changes })).not.toBe(digestRow(ROW));
  });

  it.each<[string, Partial<ChainedRow>, Partial<ChainedRow>]>([
    ['a field to the next', { actor: 'ab', action: 'c' }, { actor: 'a', action: 'bc' }],
    [
      'the request to the detail',
      { subjectRequestId: 'ab', detail: 'c' },
      { subjectRequestId: 'a', detail: 'bc' },
    ],
    ['a missing field to one that says so', { detail: null }, { detail: '-' }],
    ['a missing field to an empty one', { controllerId: null }, { controllerId: '' }],
    [
      'one field that is missing to another',
      { controllerId: null, subjectRequestId: 'x' },
      { controllerId: 'x', subjectRequestId: null },
    ],
  ])('changes if text moves from %s', (_, one, other) => {
    expect(digestRow({ ...ROW, ...one })).not.toBe(digestRow({ ...ROW, ...other }));
  });

  it('stays the one that earlier versions have sealed', () => {
    expect(digestRow(ROW)).toBe('6305f74775569a2d63fd4d66515569d3');
  });
});

describe('the hash of a head', () => {
  it.each<[string, Partial<typeof HEAD>]>([
    ['number', { headNo: 3 }],
    ['first row', { firstAuditNo: 5 }],
    ['last row', { lastAuditNo: 8 }],
    ['time', { time: HEAD.time + 1 }],
    ['head before it', { previousHash: Buffer.alloc(32, 3) }],
    ['rows', { rowsHash: Buffer.alloc(32, 3) }],
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

  it('stays the one that earlier versions have signed', () => {
    expect(hex(hashHead(HEAD))).toBe(
      'fb26e28b814e8acaf7065d3bbdf0176e9174ae7aeae2fb94b1c041ae0ae317d2',
    );
  });
});
