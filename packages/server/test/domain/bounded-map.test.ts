import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBoundedMap } from '../../src/domain/bounded-map.ts';

describe('a bounded map', () => {
  it('keeps the entries that were used last, as a list of them would', () => {
    const operation = fc.tuple(
      fc.constantFrom('set', 'get', 'delete'),
      fc.integer({ min: 0, max: 9 }),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const map = createBoundedMap<number, string>(3);
        let list: number[] = [];
        for (const [what, key] of operations) {
          if (what === 'delete') {
            map.delete(key);
            list = list.filter((it) => it !== key);
          } else if (what === 'set' || list.includes(key)) {
            if (what === 'set') map.set(key, String(key));
            else expect(map.get(key)).toBe(String(key));
            list = [...list.filter((it) => it !== key), key].slice(-3);
          } else expect(map.get(key)).toBeUndefined();
        }
        const present = [...Array(10).keys()].filter((it) => map.get(it) === String(it));
        expect(present).toEqual([...list].sort((a, b) => a - b));
      }),
    );
  });

  it('forgets as quickly when it is large', () => {
    const map = createBoundedMap<number, number>(50_000);
    const started = process.cpuUsage();
    for (let i = 0; i < 200_000; i++) {
      map.set(i, i);
      map.get(i - (i % 1000));
    }
    // Of this process: other processes on the machine do not count.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000);
  });
});
