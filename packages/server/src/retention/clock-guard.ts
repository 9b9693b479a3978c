// Nothing is forgotten because of its age while the clock may be wrong: that could not be undone.
import type { ForgettingStore } from '../domain/request/forgetting-ports.ts';
import { clockJump, WAIT_MS } from '../domain/request/plausible-clock.ts';

/** A clock that was found right is believed for so long, by a clock that cannot be set. */
const BELIEVED_MS = 60_000;

export function createClockGuard(
  store: Pick<ForgettingStore, 'headsAround'>,
  /** Of this process; seconds. */
  uptime: () => number,
  /** Told each time. */
  refused: (jumpMs: number, now: number) => Promise<void>,
): (now: number) => Promise<boolean> {
  let waitingSince: number | undefined;
  let believed: { readonly at: number; readonly now: number } | undefined;

  return async (now) => {
    const upMs = uptime() * 1000;
    if (believed !== undefined) {
      const passed = upMs - believed.at;
      // And has not been set since.
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
