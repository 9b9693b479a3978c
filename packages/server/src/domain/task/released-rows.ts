import type { HoldReason } from '../target/connector.ts';

const COUNTED_ANEW: readonly HoldReason[] = ['unplanned_change', 'unproven_identity'];

/**
 * How many rows a release allows; null: as many as the target's own limits. Where the plan lacked a table,
 * its rows come to those that were counted, so that number must not bind; what was counted by an identity that is
 * dropped is no number of the rows that are left.
 */
export function releasedRows(task: {
  readonly reason: string | null;
  readonly previewedRows: number | null;
}): number | null {
  return COUNTED_ANEW.some((reason) => reason === task.reason) ? null : task.previewedRows;
}
