// A task is named by its number, or by its request (and target, where that has several).
import type { TaskState, TaskSummary } from '../domain/task.ts';
import type { SqliteStore } from '../store/sqlite/open-store.ts';
import { CommandFailure } from './failure.ts';
import { findRequest } from './find-request.ts';

export interface TaskOptions {
  readonly controller?: string;
  readonly target?: string;
}

const MOST = 10_000;

export function findTask(
  store: SqliteStore,
  id: string,
  { controller, target }: TaskOptions,
  wanted: { readonly states: readonly TaskState[]; readonly connector?: string },
): TaskSummary {
  const { controllerId, subjectRequestId } = /^\d{1,15}$/.test(id)
    ? { controllerId: undefined, subjectRequestId: undefined }
    : findRequest(store, id, controller);
  const all = store.tasks.tasks({
    limit: MOST,
    ...(controllerId !== undefined && { controllerId }),
    ...(subjectRequestId !== undefined && { subjectRequestId }),
    ...(subjectRequestId === undefined && { taskNo: Number(id) }),
    ...(target !== undefined && { target }),
    ...(wanted.connector !== undefined && { connector: wanted.connector }),
  });
  const fitting = all.filter(({ state }) => wanted.states.includes(state));
  const [task, another] = fitting.length > 0 ? fitting : all;
  if (task === undefined) {
    throw new CommandFailure(
      `there is no such task ${id}; "unwrite task list" shows what there is`,
    );
  }
  if (another !== undefined && fitting.length !== 1) {
    const names = [...new Set((fitting.length > 0 ? fitting : all).map((it) => it.target))];
    throw new CommandFailure(`request ${id} has several tasks; add --target (${names.join(', ')})`);
  }
  return task;
}
