// A task as plain data.
import type { TaskSummary } from '../../domain/task/task.ts';
import { isoTime } from '../iso-time.ts';
import { nearestDeadline } from '../request/list-attention.ts';

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
    deadline: isoTime(nearestDeadline(task)),
    evidence: task.evidence,
  };
}
