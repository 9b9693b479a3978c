// What is counted by day, for both stores.

export type Counted =
  | 'rows'
  | 'tasks'
  | 'not_found'
  | 'deferred'
  | 'starts'
  | 'completed'
  | 'cancelled'
  | 'nowhere';

/** The day under which the sums of all days are kept. */
export const ALL_DAYS = -1;

/** Null means no limit. */
export const isLimitReached = (count: number, limit: number | null): boolean =>
  limit !== null && count >= limit;

export interface DailyCount {
  readonly what: Counted;
  /** A target or a controller. */
  readonly whose: string;
  readonly count: number;
  /** Any moment of the day. */
  readonly time: number;
}
