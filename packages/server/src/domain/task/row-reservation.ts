// Asked right before erasing, and what the brakes say to it.

/** What a task is about to erase. */
export interface EraseWish {
  readonly taskNo: number;
  readonly rows: number;
  /** An operator has released it: counted, and never put off. */
  readonly isReleased: boolean;
}

export interface MayErase {
  /** Somebody has paused the target, or everything: nothing may be touched. */
  readonly paused: boolean;
  /** Tasks that do not fit into what is left of the target's day. */
  readonly tomorrow: ReadonlySet<number>;
}
