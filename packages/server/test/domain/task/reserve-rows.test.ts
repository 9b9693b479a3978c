import { describe, expect, it } from 'vitest';
import { reserveRows } from '../../../src/domain/task/reserve-rows.ts';

const reservation = (taskNo: number, rows: number, isReleased = false) => ({
  taskNo,
  rows,
  isReleased,
});
const DAY = { maxRowsPerDay: 10, counted: 4 };

describe('the rows of a day', () => {
  it('are reserved in order, as long as there are any', () => {
    const result = reserveRows(
      [reservation(1, 4), reservation(2, 3), reservation(3, 2)],
      new Map(),
      DAY,
    );
    expect([...result.reserved]).toEqual([
      [1, 4],
      [3, 2],
    ]);
    expect([...result.tomorrow]).toEqual([2]);
    expect(result.more).toBe(6);
  });

  it('are not reserved twice for a task that asks again', () => {
    const before = new Map([[1, 5]]);
    const result = reserveRows([reservation(1, 7)], before, { maxRowsPerDay: 10, counted: 8 });
    expect([...result.reserved]).toEqual([[1, 7]]);
    expect(result.more).toBe(2);
    const fewer = reserveRows([reservation(1, 3)], before, DAY);
    expect([...fewer.reserved]).toEqual([[1, 5]]);
    expect(fewer.more).toBe(0);
  });

  it('are never too few for what an operator released, and it counts', () => {
    const result = reserveRows([reservation(1, 100, true), reservation(2, 1)], new Map(), DAY);
    expect([...result.reserved]).toEqual([[1, 100]]);
    expect([...result.tomorrow]).toEqual([2]);
    expect(result.more).toBe(100);
  });

  it('let a task pass that erases none', () => {
    const result = reserveRows([reservation(1, 0)], new Map(), { maxRowsPerDay: 0, counted: 0 });
    expect([...result.tomorrow]).toEqual([]);
  });
});
