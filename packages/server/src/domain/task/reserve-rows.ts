// The daily limit of rows of a target. Rows are counted before they are erased: two batches at a time, or a worker
// that dies after erasing, could otherwise exceed the limit.
import type { RowReservation } from './row-reservation.ts';

export interface RowReservations {
  /** Rows reserved on this day from now on, by task. */
  readonly reserved: ReadonlyMap<number, number>;
  /** Tasks that exceed what is left of the limit. */
  readonly tomorrow: ReadonlySet<number>;
  /** Rows in addition to those reserved before. */
  readonly more: number;
}

export function reserveRows(
  asked: readonly RowReservation[],
  /** Rows reserved on this day before, by task. */
  before: ReadonlyMap<number, number>,
  { maxRowsPerDay, counted }: { readonly maxRowsPerDay: number; readonly counted: number },
): RowReservations {
  const reserved = new Map<number, number>();
  const tomorrow = new Set<number>();
  let left = maxRowsPerDay - counted;
  let sum = 0;
  for (const { taskNo, rows, isReleased } of asked) {
    const known = reserved.get(taskNo) ?? before.get(taskNo) ?? 0;
    const more = Math.max(0, rows - known);
    if (more > left && !isReleased) {
      tomorrow.add(taskNo);
      continue;
    }
    left -= more;
    sum += more;
    reserved.set(taskNo, known + more);
  }
  return { reserved, tomorrow, more: sum };
}
