// The request to erase rows, made right before erasing, and what pauses and the daily limit of the target
// allow.

/** Rows that a task is about to erase, counted for the day of its target. */
export interface RowReservation {
  readonly taskNo: number;
  readonly rows: number;
  /** An operator has released it: counted, and never delayed. */
  readonly isReleased: boolean;
}

export interface MayErase {
  /** The target, or everything, is paused: nothing may be touched. */
  readonly paused: boolean;
  /** Tasks that do not fit into what is left of the target's day. */
  readonly tomorrow: ReadonlySet<number>;
}
