// Where to start reading new rows of the audit log. A read from the beginning walks
// over all rows that were deleted since the last vacuum, which cannot remove them while a backup reads the
// whole database. So rows older than a few minutes are skipped: nearly all transactions have ended
// by then. For one that has not, everything is read now and then.

const SETTLED_MS = 2 * 60_000;
const LOOK_AT_ALL_MS = 5 * 60_000;

export interface Arrivals {
  /** The number after which to read. */
  from(): number;
  /** All rows up to this number have been read, except those that are not committed yet. */
  taken(upTo: number): void;
}

export function createArrivals(steady: () => number = () => performance.now()): Arrivals {
  let passed = 0;
  let next = { upTo: 0, at: Number.POSITIVE_INFINITY };
  let lookedAtAll = steady();

  return {
    from() {
      const now = steady();
      if (now - lookedAtAll < LOOK_AT_ALL_MS) return passed;
      lookedAtAll = now;
      return 0;
    },
    taken(upTo) {
      const now = steady();
      // A row that had been skipped was found.
      passed = Math.min(passed, upTo);
      if (now - next.at >= SETTLED_MS) passed = Math.min(next.upTo, upTo);
      else if (next.at !== Number.POSITIVE_INFINITY) return;
      next = { upTo, at: now };
    },
  };
}
