// What tells that a thing has changed since somebody looked at it.
import { createHash } from 'node:crypto';
import type { TaskSummary } from '../domain/task/task.ts';

/** With the quotes that it has in a header. */
export function etagOf(...parts: readonly unknown[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return `"${digest.slice(0, 22)}"`;
}

export function taskEtag(
  task: Pick<TaskSummary, 'taskNo' | 'state' | 'attempts' | 'changedTime'>,
): string {
  return etagOf('task', task.taskNo, task.state, task.attempts, task.changedTime);
}
