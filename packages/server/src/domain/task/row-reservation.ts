// The request to erase rows, made right before erasing, and what pauses, legal holds and the daily
// limit of the target allow.

/** Rows that a task is about to erase, counted towards the target's daily limit. */
export interface RowReservation {
  readonly taskNo: number;
  readonly rows: number;
  /** An operator has released the task: its rows count, but it is never delayed. */
  readonly isReleased: boolean;
  /** Of all identities, made with all keys: a legal hold may name one of them. */
  readonly digests?: readonly Uint8Array[];
}

export interface MayErase {
  /** The target or everything is paused: nothing may be touched. */
  readonly paused: boolean;
  /** Tasks that a legal hold is on. */
  readonly onHold: ReadonlySet<number>;
  /** Tasks that exceed what is left of the target's daily limit. */
  readonly tomorrow: ReadonlySet<number>;
}
