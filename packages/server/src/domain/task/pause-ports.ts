// Pauses of erasing, and daily limits: what keeps a worker from erasing although everything else would let it.
import type { Actor } from './operator-ports.ts';

/** The scope of a pause of everything. */
export const EVERYTHING = '*';

export interface Pause {
  /** A target, or EVERYTHING. */
  readonly scope: string;
  readonly pausedTime: number;
  readonly pausedBy: string;
}

export interface PauseOperator {
  list(): Promise<Pause[]>;
  /** On the day of `now`: rows of a target that are erased or reserved, or starts of a controller. */
  usedToday(what: 'rows' | 'starts', whose: string, now: number): Promise<number>;
  /** False: it was paused already, and stays in the name of the one who did that. */
  pause(scope: string, by: Actor): Promise<boolean>;
  /** False: it was not paused. */
  resume(scope: string, by: Actor): Promise<boolean>;
}
