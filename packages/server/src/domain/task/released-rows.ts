import type { HoldReason } from '../target/connector.ts';

const UNPROVEN: HoldReason = 'unproven_identity';
const COUNTED_ANEW: readonly HoldReason[] = ['unplanned_change', UNPROVEN];

/**
 * How many rows a release allows; null: as many as the target's own limits. Where the plan lacked a table,
 * its rows come to those that were counted, so that number must not bind; what was counted by an identity that is not
 * proven is no number of the rows to erase.
 */
export function releasedRows(task: {
  readonly reason: string | null;
  readonly previewedRows: number | null;
}): number | null {
  return COUNTED_ANEW.some((reason) => reason === task.reason) ? null : task.previewedRows;
}

/** Rows that stay if an operator releases a task held for an unproven identity without giving the identity again. */
export function releasedWithoutRows(task: {
  readonly reason: string | null;
  readonly previewedRows: number | null;
}): number | null {
  return task.reason === UNPROVEN ? task.previewedRows : null;
}

/** A row `task.released` of the request's log. */
interface LoggedRelease {
  readonly time: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

export function isReleasedFrom(
  taskNo: number,
  reason: HoldReason,
  released: readonly LoggedRelease[],
): boolean {
  return released.some(({ detail }) => detail.task === taskNo && detail.reason === reason);
}

/** The last one for the target, in whichever run. */
export function rowsReleasedWithout(target: string, released: readonly LoggedRelease[]): number {
  const own = released.filter(
    ({ detail }) => detail.target === target && detail.reason === UNPROVEN,
  );
  const time = Math.max(...own.map((it) => it.time));
  const last = own.filter((it) => it.time === time).map(({ detail }) => Number(detail.without));
  return Math.max(0, ...last.filter(Number.isSafeInteger));
}
