import { describe, expect, it } from 'vitest';
import { eraseAgainKind } from '../../../src/domain/request/erase-again.ts';
import {
  completes,
  type DoneRequest,
  endsEraseAgain,
  wantsAddendum,
} from '../../../src/domain/request/settle.ts';

const request = (changes: Partial<DoneRequest> = {}): DoneRequest => ({
  requestNo: 1,
  status: 'in_progress',
  isPlanned: true,
  isAgain: false,
  isReceipted: false,
  ...changes,
});

describe('a request without an open task', () => {
  it('is completed if it is in progress and planned', () => {
    expect(completes(request())).toBe(true);
    expect(completes(request({ isPlanned: false }))).toBe(false);
    expect(completes(request({ status: 'completed' }))).toBe(false);
  });

  it('ends being erased again, and gets an addendum, only if it was completed', () => {
    const again = { isAgain: true, isReceipted: true };
    expect(endsEraseAgain(request({ ...again, status: 'completed' }))).toBe(true);
    expect(wantsAddendum(request({ ...again, status: 'completed' }))).toBe(true);
    expect(endsEraseAgain(request(again))).toBe(false);
    expect(wantsAddendum(request(again))).toBe(false);
    expect(endsEraseAgain(request({ status: 'completed' }))).toBe(false);
  });
});

describe('a request that may be erased again', () => {
  const facts = { isShredded: false, isOpen: false, isNamed: true };

  it('runs if its identities exist and no task is open', () => {
    expect(eraseAgainKind(facts)).toBe('runs');
  });

  it('is counted by the first thing that is in the way', () => {
    expect(eraseAgainKind({ ...facts, isShredded: true, isOpen: true })).toBe('shredded');
    expect(eraseAgainKind({ ...facts, isOpen: true, isNamed: false })).toBe('open');
    expect(eraseAgainKind({ ...facts, isNamed: false })).toBe('nobody');
  });
});
