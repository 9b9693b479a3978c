// A task as plain data.
import { expectedCompletion } from '../../domain/deadline/expected-completion.ts';
import type { TaskSummary } from '../../domain/task/task.ts';
import { isoTime } from '../iso-time.ts';

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
    next_try: isoTime(task.dueTime),
    waits_for: task.waitsFor,
    reason: task.reason,
    detail: task.detail,
    previewed_rows: task.previewedRows,
    intent: task.counts,
    reported: task.reported,
    changed_time: isoTime(task.changedTime),
    deadline: isoTime(expectedCompletion(task.receivedTime)),
    evidence: task.evidence,
  };
}
