// How a task is shown.
import { expectedCompletion } from '../../domain/deadline/expected-completion.ts';
import type { TaskSummary } from '../../domain/task/task.ts';
import { printTable, time } from '../shared/output.ts';

export function taskShape(task: TaskSummary) {
  return {
    task: task.taskNo,
    controller_id: task.controllerId,
    subject_request_id: task.subjectRequestId,
    target: task.target,
    connector: task.connector,
    run: task.run,
    state: task.state,
    phase: task.phase,
    attempts: task.attempts,
    next_try: time(task.dueTime),
    reason: task.reason,
    detail: task.detail,
    previewed_rows: task.previewedRows,
    intent: task.counts,
    reported: task.reported,
    changed_time: time(task.changedTime),
    deadline: time(expectedCompletion(task.receivedTime)),
    evidence: task.evidence,
  };
}

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

export function whatOf({ evidence, reason, detail }: TaskSummary): string | null {
  if (evidence === null) return reason === null ? null : `${reason}: ${detail}`;
  const { action, verified, by, already_erased_by: others } = evidence;
  const whose = others === undefined ? '' : ` by ${others.join(', ')}`;
  const who = by === undefined ? '' : ` (${by})`;
  return `${action.replaceAll('_', ' ')}${whose}, ${verified}${who}`;
}
