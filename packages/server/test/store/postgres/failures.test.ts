import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../../src/domain/store/store-unavailable.ts';
import { failureOf } from '../../../src/store/postgres/failures.ts';

const failed = (code: string) => Object.assign(new Error('quotes jane@example.com'), { code });

describe('a statement of the store that failed', () => {
  const cases = [
    ['ECONNREFUSED', 'the store could not be reached (ECONNREFUSED)'],
    ['57P01', 'the store could not be reached (57P01)'],
    ['53100', 'the store could not be written (53100)'],
    ['58030', 'the store could not be written (58030)'],
    ['53300', 'the store accepts no more connections (53300)'],
    ['25006', 'the store is read-only (25006)'],
  ] as const;
  for (const [code, message] of cases) {
    it(`with ${code} is told in words of its own`, () => {
      const failure = failureOf(failed(code));
      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect((failure as StoreUnavailable).message).toBe(message);
    });
  }

  it('for another reason stays the error that it is', () => {
    const error = failed('23505');
    expect(failureOf(error)).toBe(error);
  });
});
