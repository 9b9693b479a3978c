import { dayOf, startOfDay } from '../../domain/day.ts';
import type { Evidence, TaskOutcome } from '../../domain/task.ts';
import type { CountDaily } from './daily-counts.ts';

export interface CountedTask {
  readonly reservedDay: number | null;
  readonly reservedRows: number | null;
}

/** Inside the caller's transaction: the outcomes of a batch, summed up first, since each is a write. */
export function createCountOutcomes(countDaily: CountDaily) {
  return (
    target: string,
    done: readonly { readonly task: CountedTask; readonly outcome: TaskOutcome }[],
    now: number,
  ): void => {
    const rowsOfDay = new Map<number, number>();
    let tasks = 0;
    let notFound = 0;
    for (const { task, outcome } of done) {
      if (outcome.outcome !== 'erased') continue;
      tasks++;
      if (outcome.evidence.action === 'not_found') notFound++;
      // What was reserved is counted already, on its day; only the difference is not.
      const day = task.reservedDay ?? dayOf(now);
      const rows = erasedRows(outcome.evidence) - (task.reservedRows ?? 0);
      rowsOfDay.set(day, (rowsOfDay.get(day) ?? 0) + rows);
    }
    for (const [day, rows] of rowsOfDay) countDaily('rows', target, rows, startOfDay(day));
    countDaily('tasks', target, tasks, now);
    countDaily('not_found', target, notFound, now);
  };
}

function erasedRows({ action, tables }: Evidence): number {
  if (action !== 'erased') return 0;
  return Object.values(tables)
    .filter((table) => table.action !== 'retain')
    .reduce((sum, { rows }) => sum + rows, 0);
}
