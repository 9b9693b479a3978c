import { describe, expect, it } from 'vitest';
import type { KeyLayout } from '../../../src/domain/target/row-layout.ts';
import {
  addKeys,
  commonKeys,
  countKeys,
  withoutKeys,
} from '../../../src/fulfilment/intent/key-rows.ts';

const LAYOUT: KeyLayout = { orders: { columns: ['id', 'no'], keySize: 1, action: 'delete' } };

describe('sets of rows', () => {
  it('have rows that are in both once', () => {
    const both = addKeys(
      { orders: [['2'], ['3']] },
      { orders: [['1'], ['2']], notes: [['a', null]] },
    );
    expect(both).toEqual({ orders: [['2'], ['3'], ['1']], notes: [['a', null]] });
    expect(countKeys(both)).toEqual({ orders: 3, notes: 1 });
  });

  it('distinguish keys that only look alike', () => {
    const pairs = addKeys(
      { pairs: [['a,b', 'c']] },
      {
        pairs: [
          ['a', 'b,c'],
          [null, 'x'],
          ['null', 'x'],
        ],
      },
    );
    expect(countKeys(pairs)).toEqual({ pairs: 4 });
  });

  it('identify a row by its key, regardless of its other values', () => {
    const [before, now] = [{ orders: [['1', 'a']] }, { orders: [['1', 'b']] }];
    expect(addKeys(before, now, LAYOUT)).toEqual(before);
    expect(withoutKeys(before, now, LAYOUT)).toEqual({});
    expect(commonKeys(before, now, LAYOUT)).toEqual(before);
    expect(commonKeys(before, now)).toEqual({});
  });

  it('count a row of two entries of one table once, for the first', () => {
    const entry = { columns: ['id'], keySize: 1, action: 'overwrite', table: 'orders' } as const;
    const keys = { 'orders (a)': [['1'], ['2']], 'orders (b)': [['2'], ['3']], notes: [['2']] };
    const layout = { 'orders (a)': entry, 'orders (b)': entry };
    expect(countKeys(keys, layout)).toEqual({ 'orders (a)': 2, 'orders (b)': 1, notes: 1 });
    expect(countKeys({ ...keys, 'orders (b)': [['2']] }, layout)).toEqual({
      'orders (a)': 2,
      notes: 1,
    });
  });

  it('are left as they are by sets of other tables', () => {
    expect(withoutKeys({ orders: [['1']] }, { notes: [['1']] })).toEqual({ orders: [['1']] });
    expect(commonKeys({ orders: [['1']] }, { notes: [['1']] })).toEqual({});
  });
});
