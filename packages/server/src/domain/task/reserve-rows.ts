// How many rows a target may lose a day. Rows are counted before they are erased: two batches at a time, or a
// worker that dies after erasing, could otherwise erase more than the day has.
import type { RowReservation } from './row-reservation.ts';

export interface RowReservations {
  /** By task: what is reserved on this day from now on. */
  readonly reserved: ReadonlyMap<number, number>;
  /** Tasks that do not fit into what is left. */
  readonly tomorrow: ReadonlySet<number>;
  /** Rows beside those that were reserved before. */
  readonly more: number;
}

export function reserveRows(
  asked: readonly RowReservation[],
  /** By task: reserved on this day before. */
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
