import type { HoldReason } from '../target/connector.ts';

const DECLARED_MORE: HoldReason = 'unplanned_change';

/**
 * How many rows a release allows; null: as many as the target's own limits. Where the plan lacked a table,
 * its rows come to those that were counted, so that number must not bind.
 */
export function releasedRows(task: {
  readonly reason: string | null;
  readonly previewedRows: number | null;
}): number | null {
  return task.reason === DECLARED_MORE ? null : task.previewedRows;
}
