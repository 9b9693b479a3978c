// Pauses of erasing, and daily limits: what keeps a worker from erasing a task that is otherwise due.
import type { Actor } from './operator-ports.ts';

/** Scope of a pause that applies to all targets. */
export const EVERYTHING = '*';

/** Actor of the pause while the audit log cannot be sealed, because someone else wrote to it. */
export const DAMAGED_LOG = 'system:audit-log';

export interface Pause {
  /** A target, or EVERYTHING. */
  readonly scope: string;
  readonly pausedTime: number;
  readonly pausedBy: string;
}

export interface PauseOperator {
  list(): Promise<Pause[]>;
  /** Rows of a target erased or reserved, or starts of a controller, on the day of `now`. */
  usedToday(what: 'rows' | 'starts', whose: string, now: number): Promise<number>;
  /** False if it was already paused; the name of the operator who paused it stays. */
  pause(scope: string, by: Actor): Promise<boolean>;
  /** False if it was not paused. */
  resume(scope: string, by: Actor): Promise<boolean>;
}
