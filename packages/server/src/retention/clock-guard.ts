// Nothing is forgotten because of its age while the clock may be wrong: that could not be undone.
import type { ForgettingStore } from '../domain/request/forgetting-ports.ts';
import { clockJump, WAIT_MS } from '../domain/request/plausible-clock.ts';

/** How long a clock that was found right is trusted, measured by a monotonic clock. */
const BELIEVED_MS = 60_000;

export function createClockGuard(
  store: Pick<ForgettingStore, 'headsAround'>,
  /** Uptime of this process in seconds. */
  uptime: () => number,
  /** Called each time the clock is not trusted. */
  refused: (jumpMs: number, now: number) => Promise<void>,
): (now: number) => Promise<boolean> {
  let waitingSince: number | undefined;
  let believed: { readonly at: number; readonly now: number } | undefined;

  return async (now) => {
    const upMs = uptime() * 1000;
    if (believed !== undefined) {
      const passed = upMs - believed.at;
      // Also checks that the clock has not been set since.
      if (passed < BELIEVED_MS && now - believed.now < BELIEVED_MS * 2) return true;
    }
    const around = await store.headsAround(now - WAIT_MS);
    const waitedMs = waitingSince === undefined ? 0 : upMs - waitingSince;
    const jump = clockJump({ now, ...around, upMs, waitedMs });
    if (jump === undefined) {
      waitingSince = undefined;
      believed = { at: upMs, now };
      return true;
    }
    believed = undefined;
    waitingSince ??= upMs;
    await refused(jump, now);
    return false;
  };
}
