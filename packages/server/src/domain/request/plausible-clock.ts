// Decides whether to trust the clock before old records are forgotten, which cannot be undone. A machine that was
// off for a year looks the same as a clock that is a year ahead: so forgetting waits for a day and raises an alarm.
import { DAY_MS } from '../time-units.ts';

/** A jump of the clock is accepted once the clock has stayed there for this long. */
export const WAIT_MS = DAY_MS;
/** A store may be idle for this long without suspicion. */
const REST_MS = 7 * DAY_MS;

export interface ClockFacts {
  readonly now: number;
  /** Times of the newest head that is older than the wait, and of the oldest one since; null if there is none. */
  readonly before: number | null;
  readonly after: number | null;
  /** How long this process has been running, by a monotonic clock. */
  readonly upMs: number;
  /** How long ago this process first found the clock implausible, by the same clock; 0 if it did not. */
  readonly waitedMs: number;
}

/** Undefined if the clock is plausible; otherwise by how much it jumped ahead. */
export function clockJump({ now, before, after, upMs, waitedMs }: ClockFacts): number | undefined {
  if (before === null) return undefined;
  const jump = (after ?? now) - before;
  if (jump <= REST_MS || jump <= upMs + DAY_MS) return undefined;
  // Heads since then show how long the clock has had this time; without heads, only waiting shows it.
  return after === null && waitedMs >= WAIT_MS ? undefined : jump;
}
