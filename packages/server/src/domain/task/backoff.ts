// Retries for days: delays double up to a maximum, with jitter, so that a thousand tasks that failed together
// are not retried together.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../time-units.ts';

/** Before jitter. */
export const MAX_RETRY_DELAY_MS = 6 * HOUR_MS;
const MAX_PROBE_DELAY_MS = 5 * MINUTE_MS;
const FIRST_PROBE_DELAY_MS = 5 * SECOND_MS;

/** No retry is delayed for longer, even with jitter; a later one means that the clock was set back. */
export const LATEST_RETRY_MS = 2 * MAX_RETRY_DELAY_MS;

export interface Backoff {
  /** Milliseconds until a task that has failed so many times is tried again. */
  retry(attempts: number): number;
  /** Milliseconds until a target that was down so many times in a row is probed again. */
  probe(failures: number): number;
}

export function createBackoff(firstRetryMs: number, random: () => number): Backoff {
  const jittered = (delay: number) => Math.round(delay * (0.75 + random() / 2));
  const doubled = (first: number, times: number, max: number) =>
    Math.min(max, first * 2 ** Math.min(times - 1, 30));
  return {
    retry: (attempts) => jittered(doubled(firstRetryMs, attempts, MAX_RETRY_DELAY_MS)),
    probe: (failures) =>
      jittered(doubled(Math.min(FIRST_PROBE_DELAY_MS, firstRetryMs), failures, MAX_PROBE_DELAY_MS)),
  };
}
