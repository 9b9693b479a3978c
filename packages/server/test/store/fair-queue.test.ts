import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairQueue } from '../../src/store/fair-queue.ts';

interface Item {
  readonly share: string;
  readonly no: number;
}

describe('a fair queue', () => {
  it('loses nothing, keeps the order of each share, and gives all of them a part', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.tuple(fc.constant('push'), fc.integer({ min: 0, max: 3 })) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('take'), fc.integer({ min: 1, max: 9 })) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = createFairQueue<Item>();
        const inIt = new Map<string, Item[]>();
        let no = 0;
        for (const [what, n] of steps) {
          if (what === 'push') {
            const item = { share: `s${n}`, no: no++ };
            queue.push(item.share, item);
            inIt.set(item.share, [...(inIt.get(item.share) ?? []), item]);
            continue;
          }
          const before = [...inIt].map(([share, items]) => ({ share, count: items.length }));
          const total = before.reduce((sum, { count }) => sum + count, 0);
          const taken = queue.take(n);
          expect(taken).toHaveLength(Math.min(n, total));
          for (const { share, count } of before.filter((it) => it.count > 0)) {
            const own = taken.filter((item) => item.share === share);
            expect(own).toEqual(inIt.get(share)?.splice(0, own.length));
            const shares = before.filter((it) => it.count > 0).length;
            expect(own.length).toBeGreaterThanOrEqual(Math.min(count, Math.floor(n / shares)));
          }
          expect(queue.length).toBe(total - taken.length);
        }
      }),
    );
  });

  it('takes turns if there are more shares than places', () => {
    const queue = createFairQueue<string>();
    for (const share of ['a', 'b', 'c', 'd', 'e'])
      for (let n = 0; n < 3; n++) queue.push(share, share);
    expect([queue.take(2), queue.take(2), queue.take(2)]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'a'],
    ]);
  });

  it('is quick when one share has very many', () => {
    const queue = createFairQueue<number>();
    for (let n = 0; n < 100_000; n++) queue.push('flood', n);
    queue.push('other', -1);
    const started = performance.now();
    expect(queue.take(64)).toContain(-1);
    while (queue.length > 0) queue.take(64);
    expect(performance.now() - started).toBeLessThan(500);
  });
});
