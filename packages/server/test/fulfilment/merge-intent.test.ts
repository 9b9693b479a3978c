import { describe, expect, it } from 'vitest';
import { mergeIntent, nothingFound } from '../../src/fulfilment/merge-intent.ts';

describe('an earlier intent', () => {
  const before = {
    counts: { customers: 1, orders: 2 },
    retained: { invoices: 3 },
    keys: { customers: [['7']], orders: [['1'], ['2']] },
  };

  it('stays as it is where nothing is found any more', () => {
    const { retained: _, ...rows } = before;
    expect(mergeIntent(nothingFound(), before)).toMatchObject({ ...rows, retained: {} });
  });

  it('is what was found where there is none', () => {
    expect(mergeIntent(before, undefined)).toBe(before);
  });

  it('takes in rows that came since, and counts those in both once', () => {
    const found = {
      counts: { orders: 2, notes: 1 },
      retained: { invoices: 1 },
      keys: { orders: [['2'], ['3']], notes: [['a', null]] },
    };
    expect(mergeIntent(found, before)).toMatchObject({
      counts: { customers: 1, orders: 3, notes: 1 },
      retained: { invoices: 1 },
      keys: { customers: [['7']], orders: [['2'], ['3'], ['1']], notes: [['a', null]] },
    });
  });

  it('tells keys apart that only look alike', () => {
    const keys = (...rows: (string | null)[][]) => ({
      counts: { pairs: rows.length },
      retained: {},
      keys: { pairs: rows },
    });
    const merged = mergeIntent(keys(['a,b', 'c']), keys(['a', 'b,c'], [null, 'x'], ['null', 'x']));
    expect(merged.counts).toEqual({ pairs: 4 });
  });

  it('keeps the larger count where rows have no keys', () => {
    const found = { counts: { profile: 1, log: 5 }, retained: {}, keys: {} };
    const earlier = { counts: { profile: 2, log: 3 }, retained: {}, keys: {} };
    expect(mergeIntent(found, earlier).counts).toEqual({ profile: 2, log: 5 });
  });
});
