// ETags: they differ if something has changed since a caller read it.
import { createHash } from 'node:crypto';
import type { TaskSummary } from '../domain/task/task.ts';

/** Includes the quotes that an ETag has in a header. */
export function etagOf(...parts: readonly unknown[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return `"${digest.slice(0, 22)}"`;
}

export function taskEtag(
  task: Pick<TaskSummary, 'taskNo' | 'state' | 'attempts' | 'changedTime'>,
): string {
  return etagOf('task', task.taskNo, task.state, task.attempts, task.changedTime);
}
