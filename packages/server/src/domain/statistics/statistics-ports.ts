// Counting arrivals and durations, outside the hot path.

export interface StatisticsStore {
  /** Whether there is something that was not counted; a look into two indexes. */
  anyToCount(now: number): Promise<boolean>;
  /** Counts some; answers whether there may be more. */
  countSome(now: number): Promise<boolean>;
}
