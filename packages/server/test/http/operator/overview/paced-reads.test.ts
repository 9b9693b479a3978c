// What the console reads often and dearly: see paced-reads.ts.
import { describe, expect, it } from 'vitest';
import { createPacedReads } from '../../../../src/http/operator/overview/paced-reads.ts';

/** Holds up the thread, as a read of SQLite does. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('reads that people make often', () => {
  it('leave most of the time to others, however many ask', async () => {
    const paced = createPacedReads();
    let spent = 0;
    let isOver = false;
    const read = async () => {
      work(10);
      spent += 10;
    };
    const began = performance.now();
    const askers = Array.from({ length: 8 }, async (_, n) => {
      while (!isOver) await paced(`filter ${n}`, read);
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    isOver = true;
    const share = spent / (performance.now() - began);
    await Promise.all(askers);
    expect(share).toBeLessThan(0.4);
  });

  it('are shared by those who ask for the same, and begin after each of them asked', async () => {
    const paced = createPacedReads();
    let reads = 0;
    let state = 'before';
    const read = async () => {
      reads++;
      const seen = state;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return seen;
    };
    const first = paced('overview', read);
    await new Promise((resolve) => setTimeout(resolve, 5));
    state = 'after';
    const later = Array.from({ length: 5 }, () => paced('overview', read));
    expect(await first).toBe('before');
    expect(await Promise.all(later)).toEqual(Array(5).fill('after'));
    expect(reads).toBe(2);
  });

  it('continue after one that failed, which fails only for the callers that share it', async () => {
    const paced = createPacedReads();
    const failed = [1, 2].map(() => paced('a', () => Promise.reject(new RangeError('gone'))));
    const other = paced('b', async () => 'read');
    for (const one of failed) await expect(one).rejects.toThrow('gone');
    expect(await other).toBe('read');
    expect(await paced('a', async () => 'again')).toBe('again');
  });
});
