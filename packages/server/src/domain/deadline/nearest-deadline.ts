import type { WatchedRequest } from '../alarm/alarm-ports.ts';
import { statutoryLimit } from './statutory-deadline.ts';

/**
 * Limit for the watched requests, and for the oldest that are not watched yet. A request that was submitted long
 * before it was received is watched from the beginning; for all others age decides, up to the length of a month.
 */
export const MAX_LOOKED_AT = 500;

export type DeadlineRow = Pick<WatchedRequest, 'regulation' | 'submittedTime' | 'receivedTime'>;

export function nearestOf(rows: readonly DeadlineRow[]): number | null {
  return rows.reduce<number | null>((nearest, row) => {
    const { end } = statutoryLimit(row.regulation, row.submittedTime, row.receivedTime);
    return nearest === null || end < nearest ? end : nearest;
  }, null);
}
