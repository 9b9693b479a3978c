// Tasks as lines of a table.
import type { TaskSummary } from '../../domain/task/task.ts';
import { printTable, time } from '../shared/output.ts';

export function printTasks(tasks: readonly TaskSummary[]): void {
  printTable(
    ['task', 'target', 'state', 'rows', 'attempts', 'next try', 'what'],
    tasks.map((task) => [
      task.taskNo,
      task.target,
      task.state,
      rowsOf(task),
      task.attempts,
      time(task.dueTime),
      whatOf(task),
    ]),
  );
}

export function rowsOf({ evidence, previewedRows }: TaskSummary): number | null {
  if (evidence === null) return previewedRows;
  const touched = Object.values(evidence.tables).filter(({ action }) => action !== 'retain');
  return touched.reduce((sum, { rows }) => sum + rows, 0);
}

export function whatOf({ evidence, reason, detail, waitsFor }: TaskSummary): string | null {
  if (waitsFor.length > 0) return `waits for ${waitsFor.join(', ')}`;
  if (evidence === null) return reason === null ? null : `${reason}: ${detail}`;
  const { action, verified, by, already_erased_by: others } = evidence;
  const whose = others === undefined ? '' : ` by ${others.join(', ')}`;
  const who = by === undefined ? '' : ` (${by})`;
  return `${action.replaceAll('_', ' ')}${whose}, ${verified}${who}`;
}
