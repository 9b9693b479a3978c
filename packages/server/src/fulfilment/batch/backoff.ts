// Retries for days: delays double up to six hours, with jitter, so that a thousand tasks that failed together
// are not retried together.

const LONGEST_MS = 6 * 60 * 60 * 1000;
const LONGEST_PROBE_MS = 5 * 60 * 1000;
const FIRST_PROBE_MS = 5000;

export interface Backoff {
  /** Milliseconds until a task that has failed so many times is tried again. */
  retry(attempts: number): number;
  /** Milliseconds until a target that was down so many times in a row is probed again. */
  probe(failures: number): number;
}

export function createBackoff(firstRetryMs: number, random: () => number): Backoff {
  const jittered = (delay: number) => Math.round(delay * (0.75 + random() / 2));
  const doubled = (first: number, times: number, longest: number) =>
    Math.min(longest, first * 2 ** Math.min(times - 1, 30));
  return {
    retry: (attempts) => jittered(doubled(firstRetryMs, attempts, LONGEST_MS)),
    probe: (failures) =>
      jittered(doubled(Math.min(FIRST_PROBE_MS, firstRetryMs), failures, LONGEST_PROBE_MS)),
  };
}
