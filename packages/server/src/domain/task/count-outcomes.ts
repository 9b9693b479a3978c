import type { DailyCount } from '../limit/daily-count.ts';
import { dayOf, startOfDay } from '../limit/day.ts';
import { endedTask, foundNothing } from '../request/outcome.ts';
import type { Evidence, TaskOutcome } from './task.ts';

export interface CountedTask {
  readonly reservedDay: number | null;
  readonly reservedRows: number | null;
}

/** The counts of a batch's outcomes, summed first because each count is a write. */
export function countOutcomes(
  target: string,
  done: readonly { readonly task: CountedTask; readonly outcome: TaskOutcome }[],
  now: number,
): DailyCount[] {
  const rowsOfDay = new Map<number, number>();
  let tasks = 0;
  let notFound = 0;
  for (const { task, outcome } of done) {
    if (outcome.outcome !== 'erased') continue;
    tasks++;
    if (foundNothing(endedTask(outcome.evidence))) notFound++;
    // Reserved rows are already counted, on the day of the reservation; only the difference is added.
    const day = task.reservedDay ?? dayOf(now);
    const rows = erasedRows(outcome.evidence) - (task.reservedRows ?? 0);
    rowsOfDay.set(day, (rowsOfDay.get(day) ?? 0) + rows);
  }
  const rows = [...rowsOfDay].map(([day, count]) => ({ count, time: startOfDay(day) }));
  return [
    ...rows.map((counted) => ({ what: 'rows' as const, whose: target, ...counted })),
    { what: 'tasks', whose: target, count: tasks, time: now },
    { what: 'not_found', whose: target, count: notFound, time: now },
  ];
}

function erasedRows({ action, tables }: Evidence): number {
  if (action !== 'erased' && action !== 'already_erased') return 0;
  return Object.values(tables)
    .filter((table) => table.action !== 'retain')
    .reduce((sum, { rows, unconfirmed = 0 }) => sum + rows + unconfirmed, 0);
}
