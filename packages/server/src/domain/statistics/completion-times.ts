// How long requests took, counted in classes that grow with the duration, so that the median of a million
// requests needs only a few numbers.
import { MINUTE_MS } from '../time-units.ts';

/** Classes per doubling: a duration is exact to within 5 per cent. */
const CLASSES_PER_DOUBLING = 8;

/** The class of a duration in milliseconds. */
export function durationClass(milliseconds: number): number {
  return Math.round(CLASSES_PER_DOUBLING * Math.log2(1 + Math.max(0, milliseconds) / MINUTE_MS));
}

/** The duration in the middle of a class, in milliseconds. */
function durationOf(durationClassNo: number): number {
  return (2 ** (durationClassNo / CLASSES_PER_DOUBLING) - 1) * MINUTE_MS;
}

export interface CountedDuration {
  readonly duration: number;
  readonly count: number;
}

/** The duration, in milliseconds, that this share of the requests did not exceed; null without requests. */
export function quantile(counts: readonly CountedDuration[], part: number): number | null {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const sorted = counts.toSorted((a, b) => a.duration - b.duration);
  let before = 0;
  for (const { duration, count } of sorted) {
    before += count;
    if (before >= part * total) return durationOf(duration);
  }
  return null;
}
