// Numbers that targets answer can be added up exactly.
import type { Counts } from './connector.ts';

/** No person has more rows. Larger sums in receipts, daily limits and evidence would not be exact. */
export const MAX_ROWS_IN_ANSWER = 1_000_000_000_000;

/** Whole numbers of at least 0 that are small enough to be added up exactly. */
export function canBeCounted(counts: Counts): boolean {
  let rows = 0;
  for (const count of Object.values(counts)) {
    if (!Number.isSafeInteger(count) || count < 0) return false;
    rows += count;
    if (rows > MAX_ROWS_IN_ANSWER) return false;
  }
  return true;
}
