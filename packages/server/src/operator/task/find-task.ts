// Finds a task by its number, or by its request (and its target, if the request has several tasks).

import type { RequestSummary } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import { NotPossible, type TaskFilter } from '../../domain/task/operator-ports.ts';
import type { TaskSummary } from '../../domain/task/task.ts';
import { controllerOf } from '../controller/find-controller.ts';
import { NotFound } from '../failures.ts';
import { findRequest } from '../request/find-request.ts';

export type TaskStores = Pick<Store, 'tasks' | 'tenants' | 'catalogue'>;

export interface TaskOptions {
  readonly controller?: string | undefined;
  readonly target?: string | undefined;
}

export interface WantedTask {
  /** Participle for messages, as in "can be released". */
  readonly done: string;
  readonly fits: (task: TaskSummary) => boolean;
}

const MOST = 10_000;

/** A single task is returned even if it does not fit: the store then says why the action is not possible. */
export async function findTask(
  store: TaskStores,
  id: string,
  options: TaskOptions,
  wanted: WantedTask,
): Promise<TaskSummary> {
  if (/^\d{1,15}$/.test(id)) return findByNumber(store, Number(id), options);
  const request = await findRequest(store, id, options.controller);
  const all = await tasksAt(store, request, options.target);
  const fitting = all.filter(wanted.fits);
  const [task, another] = fitting.length > 0 ? fitting : all;
  if (task === undefined) throw await noTask(store, request, options.target);
  if (another === undefined) return task;
  throw new NotPossible(
    fitting.length === 0
      ? `request ${id} has no task that can be ${wanted.done}: ${all.map(inState).join(', ')}`
      : `request ${id} has several tasks that can be ${wanted.done}: ${fitting.map(inState).join(', ')}; name one by its number, or add --target`,
  );
}

/** Task numbers are unique in the installation, so --controller and --target can only contradict them. */
async function findByNumber(
  store: TaskStores,
  taskNo: number,
  options: TaskOptions,
): Promise<TaskSummary> {
  const controllerId = await controllerOf(options.controller, store.tenants);
  const filter: TaskFilter = {
    taskNo,
    limit: 1,
    ...(controllerId !== undefined && { controllerId }),
    ...(options.target !== undefined && { target: options.target }),
  };
  const [task] = await store.tasks.tasks(filter);
  if (task !== undefined) return task;
  const whose = controllerId === undefined ? '' : ` of controller ${controllerId}`;
  const where = options.target === undefined ? '' : ` at target ${options.target}`;
  throw new NotFound(
    `there is no task ${taskNo}${whose}${where}; "unwrite task list" shows what there is`,
  );
}

async function tasksAt(
  store: TaskStores,
  { controllerId, subjectRequestId }: RequestSummary,
  target: string | undefined,
): Promise<TaskSummary[]> {
  const filter = { controllerId, subjectRequestId, limit: MOST };
  return store.tasks.tasks({ ...filter, ...(target !== undefined && { target }) });
}

async function noTask(
  store: TaskStores,
  request: RequestSummary,
  target: string | undefined,
): Promise<NotFound> {
  const { subjectRequestId: id, status } = request;
  const others = await tasksAt(store, request, undefined);
  return new NotFound(
    others.length === 0
      ? `request ${id} has no tasks: it is ${status}`
      : `request ${id} has no task at target ${target}; it has: ${others.map(inState).join(', ')}`,
  );
}

function inState({ taskNo, target, state, reason }: TaskSummary): string {
  return `${taskNo} (${target}, ${reason === null ? state : `${state}: ${reason}`})`;
}
