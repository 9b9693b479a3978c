// Whether a task is released for the number of rows with which it was held.
import { NotPossible } from './operator-ports.ts';
import type { OperatedTask } from './task-rules.ts';

/** The detail of a row `task.held`. */
export interface LoggedHold {
  readonly time: number;
  readonly task?: unknown;
  readonly rows?: unknown;
}

export function requireLoggedRows(
  { taskNo, previewedRows }: Pick<OperatedTask, 'taskNo' | 'previewedRows'>,
  holds: readonly LoggedHold[],
): void {
  if (previewedRows === null) return;
  const own = holds.filter(({ task, rows }) => task === taskNo && rows !== undefined);
  // The newest time decides, so a copy of an old row has no effect. Two rows of the same time both count.
  const time = Math.max(...own.map((it) => it.time));
  const last = own.filter((it) => it.time === time).map(({ rows }) => rows);
  if (last.includes(previewedRows)) return;
  throw new NotPossible(
    `task ${taskNo} was held with ${last.at(-1) ?? 'no'} rows according to the audit log, but the store says ${previewedRows}: somebody else has written to the database. Find out who can, restore the number (previewed_rows), then release; or retain`,
  );
}
