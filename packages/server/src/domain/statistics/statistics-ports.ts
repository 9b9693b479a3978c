// Counting arrivals and durations, outside the hot path.

export interface StatisticsStore {
  /** Whether anything is not counted yet; two index lookups. */
  anyToCount(now: number): Promise<boolean>;
  /** Counts a part; returns whether there may be more. */
  countSome(now: number): Promise<boolean>;
}
