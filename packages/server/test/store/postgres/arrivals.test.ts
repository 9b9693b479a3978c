import { describe, expect, it } from 'vitest';
import { createArrivals } from '../../../src/store/postgres/arrivals.ts';

const MINUTE = 60_000;

describe('arrivals of audit rows', () => {
  function make() {
    const clock = { now: 7 };
    return { clock, arrivals: createArrivals(() => clock.now) };
  }

  it('are read from the beginning until earlier ones have settled', () => {
    const { clock, arrivals } = make();
    expect(arrivals.from()).toBe(0);
    arrivals.taken(100);
    clock.now += MINUTE;
    arrivals.taken(200);
    expect(arrivals.from()).toBe(0);
    clock.now += MINUTE;
    arrivals.taken(300);
    expect(arrivals.from()).toBe(100);
    clock.now += 2 * MINUTE;
    arrivals.taken(400);
    expect(arrivals.from()).toBe(300);
  });

  it('are all read now and then, and a row that was skipped is not skipped again', () => {
    const { clock, arrivals } = make();
    for (const upTo of [100, 200]) {
      arrivals.taken(upTo);
      clock.now += 2 * MINUTE;
    }
    arrivals.taken(300);
    clock.now += MINUTE;
    expect(arrivals.from()).toBe(0);
    arrivals.taken(42);
    expect(arrivals.from()).toBe(42);
    arrivals.taken(300);
    clock.now += 2 * MINUTE;
    arrivals.taken(300);
    expect(arrivals.from()).toBe(300);
  });
});
