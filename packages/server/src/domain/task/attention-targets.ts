// What the configuration says about waiting: how long a batch of each target may take by its timeouts, and
// which targets are outside their hours.
import { isOpen } from '../target/hours.ts';
import type { Hours, TargetConfig } from '../target/target.ts';
import { MINUTE_MS } from '../time-units.ts';
import type { AttentionTimes } from './attention.ts';

/** Time for our own part of a batch, and for a busy machine. */
const SLACK = 5 * MINUTE_MS;
/** Calls per batch: settling, preview and erase up to three times if rows keep coming, then verify. */
const CALLS = 8;
/** Statements that really take their full timeout: more of them in one batch mean that something is wrong. */
const SLOW_STATEMENTS = 20;

export function attentionTargets(
  targets: readonly TargetConfig[],
  now: number,
): Pick<AttentionTimes, 'patientTargets' | 'batchLimits'> {
  return {
    patientTargets: targets
      .filter(({ hours }) => hours !== null && !isOpenForLong(hours, now))
      .map(({ name }) => name),
    batchLimits: new Map(targets.map((target) => [target.name, batchLimit(target)])),
  };
}

/** Milliseconds. A batch that takes longer is not explained by the target's time limits. */
export function batchLimit(target: TargetConfig): number {
  switch (target.connector) {
    case 'http':
      return CALLS * (target.timeout + target.pollTimeout) + SLACK;
    case 'opendsr':
    case 'rest':
    case 's3':
      return CALLS * target.timeout * target.batchSize + SLACK;
    case 'module':
      return CALLS * target.timeout + SLACK;
    case 'manual':
    case 'sandbox':
      return SLACK;
    default:
      return SLOW_STATEMENTS * (target.statementTimeout + target.lockTimeout) + SLACK;
  }
}

function isOpenForLong(hours: Hours, now: number): boolean {
  return [0, 5, 10, 15].every((minutes) => isOpen(hours, now - minutes * MINUTE_MS));
}
