import { describe, expect, it } from 'vitest';
import { mayHaveErasedBefore, type OtherTask } from '../../../src/domain/task/erased-before.ts';

const done: OtherTask = {
  state: 'erased',
  action: 'erased',
  hasReported: false,
  hasIntent: false,
  isInSameBatch: false,
  isOlder: true,
  hasOwnIntent: false,
  isAfterOwnIntent: false,
};
const underWay: OtherTask = {
  ...done,
  state: 'running',
  action: null,
  hasIntent: true,
  isInSameBatch: true,
};

describe('requests that may have erased the same people before', () => {
  it('a request that erased something may have erased the same people before', () => {
    expect(mayHaveErasedBefore(done)).toBe(true);
    expect(mayHaveErasedBefore({ ...done, isOlder: false })).toBe(true);
    expect(mayHaveErasedBefore({ ...done, action: 'not_found' })).toBe(false);
    expect(mayHaveErasedBefore({ ...done, action: 'retained' })).toBe(false);
  });

  it('a request counts only if it erased after the intent of the present task', () => {
    const withIntent = { ...done, hasOwnIntent: true };
    expect(mayHaveErasedBefore(withIntent)).toBe(false);
    expect(mayHaveErasedBefore({ ...withIntent, isAfterOwnIntent: true })).toBe(true);
  });

  it('a request that an operator retained counts if it had erased rows before', () => {
    expect(mayHaveErasedBefore({ ...done, action: 'retained', hasReported: true })).toBe(true);
  });

  it('an older request in the same batch counts if it has recorded an intent', () => {
    expect(mayHaveErasedBefore(underWay)).toBe(true);
    expect(mayHaveErasedBefore({ ...underWay, isOlder: false })).toBe(false);
    expect(mayHaveErasedBefore({ ...underWay, isInSameBatch: false })).toBe(false);
    expect(mayHaveErasedBefore({ ...underWay, hasIntent: false })).toBe(false);
    expect(mayHaveErasedBefore({ ...underWay, hasOwnIntent: true })).toBe(false);
  });
});
