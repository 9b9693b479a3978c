import { describe, expect, it } from 'vitest';
import { byName, byNameFromJson } from '../../src/domain/by-name.ts';
import { totalOf } from '../../src/domain/target/connector.ts';
import { canBeCounted, MAX_ROWS_IN_ANSWER } from '../../src/domain/target/countable.ts';

/** What every plain object seems to have. */
const NAMES = Object.getOwnPropertyNames(Object.prototype);

describe('an object by names from outside', () => {
  it.each(NAMES)('has nothing called %s before it is given', (name) => {
    expect(byName<number>()[name]).toBeUndefined();
  });

  it('keeps every name and its value, also through JSON', () => {
    const counts = byName(NAMES.map((name, n) => [name, n] as const));
    const again = byNameFromJson<number>(JSON.stringify(counts));
    for (const [n, name] of NAMES.entries()) expect([counts[name], again[name]]).toEqual([n, n]);
    expect(Object.keys(again)).toEqual(NAMES);
    expect(byNameFromJson('{}').toString).toBeUndefined();
  });
});

describe('counts', () => {
  it('are added up under every name', () => {
    expect(totalOf(byName(NAMES.map((name) => [name, 2] as const)))).toBe(2 * NAMES.length);
  });

  it.each([
    [{ a: MAX_ROWS_IN_ANSWER - 1, b: 1 }, true],
    [{ a: MAX_ROWS_IN_ANSWER, b: 1 }, false],
    [{ a: Number.MAX_SAFE_INTEGER }, false],
    [{ a: -1 }, false],
    [{ a: 0.5 }, false],
    [{ a: Number.NaN }, false],
    [{ a: '1' as unknown as number }, false],
  ])('%j can be added up with others: %s', (counts, expected) => {
    expect(canBeCounted(counts)).toBe(expected);
  });
});
