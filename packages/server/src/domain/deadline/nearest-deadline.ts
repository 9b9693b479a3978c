import { type LawFacts, statutoryLimit } from './statutory-deadline.ts';

/**
 * Limit for the watched requests, and for the oldest that are not watched yet. A request that was submitted long
 * before it was received is watched from the beginning; for all others age decides, up to the length of a month.
 */
export const MAX_LOOKED_AT = 500;

export function nearestOf(rows: readonly LawFacts[]): number | null {
  return rows.reduce<number | null>((nearest, row) => {
    const { end } = statutoryLimit(row);
    return nearest === null || end < nearest ? end : nearest;
  }, null);
}
