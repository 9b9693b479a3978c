// Whether the clock can be believed before records are forgotten for their age, which cannot be undone. A machine that was
// off for a year looks the same as a clock that is a year ahead: so forgetting waits for a day, and an operator is told.

const DAY_MS = 86_400_000;
/** So long the clock has to be where it is. */
export const WAIT_MS = DAY_MS;
/** A store may be at rest for so long without anybody wondering. */
const REST_MS = 7 * DAY_MS;

export interface ClockFacts {
  readonly now: number;
  /** The times of the newest head that is older than the wait, and of the oldest since; null: there is none. */
  readonly before: number | null;
  readonly after: number | null;
  /** How long this process has been running, by a clock that cannot be set. */
  readonly upMs: number;
  /** The same, since it first found the clock not plausible; 0 where it has not. */
  readonly waitedMs: number;
}

/** Undefined where it is plausible; otherwise by how much it went ahead at once. */
export function clockJump({ now, before, after, upMs, waitedMs }: ClockFacts): number | undefined {
  if (before === null) return undefined;
  const jump = (after ?? now) - before;
  if (jump <= REST_MS || jump <= upMs + DAY_MS) return undefined;
  // Heads since then show how long the clock has been there; without any, only waiting does.
  return after === null && waitedMs >= WAIT_MS ? undefined : jump;
}
