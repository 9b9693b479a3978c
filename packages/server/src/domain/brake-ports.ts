// Brakes: what keeps a worker from erasing although everything else would let it.
import type { Actor } from './operator-ports.ts';

/** The scope of a pause of everything. */
export const EVERYTHING = '*';

export interface Brake {
  /** A target, or EVERYTHING. */
  readonly scope: string;
  readonly pausedTime: number;
  readonly pausedBy: string;
}

export interface BrakeOperator {
  brakes(): Brake[];
  /** False: it was paused already, and stays in the name of whoever did that. */
  pause(scope: string, by: Actor): boolean;
  /** False: it was not paused. */
  resume(scope: string, by: Actor): boolean;
}

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
