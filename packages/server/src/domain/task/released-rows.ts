import type { HoldReason } from '../target/connector.ts';

const UNPROVEN: HoldReason = 'unproven_identity';
const LIMITED_BY_TARGET: readonly HoldReason[] = ['unplanned_change', UNPROVEN];

/**
 * How many rows a release allows; null means the target's own limits. If the plan lacked a table, its rows come in
 * addition to the counted rows, so that number must not bind. Rows counted by an unproven identity are not rows to
 * erase.
 */
export function releasedRows(task: {
  readonly reason: string | null;
  readonly previewedRows: number | null;
}): number | null {
  return LIMITED_BY_TARGET.some((reason) => reason === task.reason) ? null : task.previewedRows;
}

/** Rows that stay if an operator releases a task held for an unproven identity without giving the identity again. */
export function rowsKeptByRelease(task: {
  readonly reason: string | null;
  readonly previewedRows: number | null;
}): number | null {
  return task.reason === UNPROVEN ? task.previewedRows : null;
}

/** A row `task.released` of the audit log. */
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

/** The rows of the last release for the target, in any run. */
export function rowsKeptByLastRelease(target: string, released: readonly LoggedRelease[]): number {
  const own = released.filter(
    ({ detail }) => detail.target === target && detail.reason === UNPROVEN,
  );
  const time = Math.max(...own.map((it) => it.time));
  const last = own.filter((it) => it.time === time).map(({ detail }) => Number(detail.without));
  return Math.max(0, ...last.filter(Number.isSafeInteger));
}
