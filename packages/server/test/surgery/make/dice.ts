// Random choices that a seed repeats.

export interface Dice {
  /** True that often: 0.1 is once in ten. */
  chance(probability: number): boolean;
  /** 0 to `max`, both included. */
  upTo(max: number): number;
  one<T>(items: readonly T[]): T;
  /** Each with its weight; a weight of 0 is never chosen. */
  weighted<T>(items: readonly (readonly [weight: number, item: T])[]): T;
}

export function createDice(seed: number, caseNo: number): Dice {
  let state = (Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(caseNo + 1, 0x85ebca6b)) | 0;

  // mulberry32: 32 bits of state are plenty, and a case is the same on every machine.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const upTo = (max: number) => Math.floor(next() * (max + 1));

  return {
    chance: (probability) => next() < probability,
    upTo,
    one<T>(items: readonly T[]): T {
      const item = items[upTo(items.length - 1)];
      if (item === undefined) throw new Error('there is nothing to choose from');
      return item;
    },
    weighted<T>(items: readonly (readonly [number, T])[]): T {
      const total = items.reduce((sum, [weight]) => sum + weight, 0);
      let left = next() * total;
      for (const [weight, item] of items) {
        left -= weight;
        if (left < 0) return item;
      }
      throw new Error('there is nothing to choose from');
    },
  };
}
