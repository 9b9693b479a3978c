import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBoundedMap } from '../../src/domain/bounded-map.ts';

describe('a bounded map', () => {
  it('has the newest entries, as a list of them would', () => {
    const operation = fc.tuple(fc.constantFrom('set', 'delete'), fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const map = createBoundedMap<number, string>(3);
        let list: number[] = [];
        for (const [what, key] of operations) {
          if (what === 'delete') {
            map.delete(key);
            list = list.filter((it) => it !== key);
          } else {
            map.set(key, String(key));
            if (!list.includes(key)) list = [...list, key].slice(-3);
          }
          const present = [...Array(10).keys()].filter((it) => map.get(it) === String(it));
          expect(present).toEqual([...list].sort((a, b) => a - b));
        }
      }),
    );
  });

  it('forgets as quickly when it is large', () => {
    const map = createBoundedMap<number, number>(50_000);
    const started = performance.now();
    for (let i = 0; i < 200_000; i++) map.set(i, i);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
