import type { TargetConfig } from '../../domain/target/target.ts';
import type { TaskState, TaskSummary } from '../../domain/task/task.ts';
import { controllerOf } from '../controller/find-controller.ts';
import { requireRequest } from '../request/find-request.ts';
import { nearestDeadline } from '../request/list-attention.ts';
import { requireTarget } from '../target/find-target.ts';
import type { TaskOptions, TaskStores } from './find-task.ts';

export interface TaskQuery extends TaskOptions {
  readonly state?: TaskState | undefined;
  readonly request?: string | undefined;
  readonly reason?: string | undefined;
  readonly limit: number;
}

/** Oldest request first. */
export async function listTasks(
  store: TaskStores,
  targets: readonly TargetConfig[],
  query: TaskQuery,
): Promise<TaskSummary[]> {
  const controllerId = await controllerOf(query.controller, store.tenants);
  const { request: subjectRequestId, target, state, reason, limit } = query;
  await requireRequest(store, subjectRequestId, query.controller);
  await requireTarget(target, targets, store);
  return store.tasks.tasks({
    limit,
    ...(controllerId !== undefined && { controllerId }),
    ...(subjectRequestId !== undefined && { subjectRequestId }),
    ...(target !== undefined && { target }),
    ...(state !== undefined && { state }),
    ...(reason !== undefined && { reason }),
  });
}

/** Tasks that people have to do by hand, nearest deadline first. */
export async function listManualTasks(
  store: TaskStores,
  targets: readonly TargetConfig[],
  { controller, target, limit }: TaskOptions & Pick<TaskQuery, 'limit'>,
): Promise<TaskSummary[]> {
  const query = { controller, target, limit, state: 'held', reason: 'manual' } as const;
  const tasks = await listTasks(store, targets, query);
  return tasks.toSorted((a, b) => nearestDeadline(a) - nearestDeadline(b));
}
