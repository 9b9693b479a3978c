// When a webhook that failed is called again, and how long the node that calls keeps its turn.
import { MINUTE_MS } from './time-units.ts';

const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 3_600_000;

/** Longer than a call may take. A node that died does not keep the turn for longer. */
export const TURN_MS = MINUTE_MS;

/** A retry that is later than this means that the clock was set back. */
export const LATEST_RETRY_MS = 2 * LONGEST_WAIT_MS;

/** Every failure doubles the wait, up to an hour. */
export function webhookRetryTime(now: number, failures: number): number {
  return now + Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
}
