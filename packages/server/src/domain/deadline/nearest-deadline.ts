import type { WatchedRequest } from '../alarm/alarm-ports.ts';
import { statutoryLimit } from './statutory-deadline.ts';

/**
 * Of the watched requests, and of the oldest that are not watched yet: a request that was submitted long before it was
 * received is watched from the beginning; for the others age decides, give or take the length of a month.
 */
export const MAX_LOOKED_AT = 500;

export type DeadlineRow = Pick<WatchedRequest, 'regulation' | 'submittedTime' | 'receivedTime'>;

export function nearestOf(rows: readonly DeadlineRow[]): number | null {
  return rows.reduce<number | null>((nearest, row) => {
    const { end } = statutoryLimit(row.regulation, row.submittedTime, row.receivedTime);
    return nearest === null || end < nearest ? end : nearest;
  }, null);
}
