import { describe, expect, it } from 'vitest';
import { countsToErase, nothingFound } from '../../../src/fulfilment/intent/merge-intent.ts';

describe('the number of rows to erase', () => {
  it('is the number found by the preview if rows have keys, whatever an earlier intent said', () => {
    const layout = { orders: { columns: ['id'], keySize: 1, action: 'delete' } } as const;
    const found = { counts: { orders: 1 }, layout };
    expect(countsToErase(found, { orders: 3, customers: 1 })).toEqual({ orders: 1 });
  });

  it('is the larger one if a target only gives numbers', () => {
    const found = { ...nothingFound(), counts: { profile: 1, log: 5 } };
    expect(countsToErase(found, { profile: 2, log: 3 })).toEqual({ profile: 2, log: 5 });
  });

  it('is the number found if there was no intent', () => {
    const found = { ...nothingFound(), counts: { profile: 1 } };
    expect(countsToErase(found, undefined)).toEqual({ profile: 1 });
  });
});
