// Releases held tasks: one by name, or all of a target.
import { OwnRequest } from '../../domain/request/entered.ts';
import type { Store } from '../../domain/store/store.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { type Actor, NotPossible } from '../../domain/task/operator-ports.ts';
import { releasedRows } from '../../domain/task/released-rows.ts';
import { isReleasedFrom, TASK_HOLD_REASONS, type TaskSummary } from '../../domain/task/task.ts';
import { controllerOf } from '../controller/find-controller.ts';
import { requireTarget } from '../target/find-target.ts';
import { findTask, type TaskOptions, type TaskStores } from './find-task.ts';
import { type ExpectedSize, type ReleaseSize, releaseSize, requireSize } from './release-size.ts';

type ReleaseStores = TaskStores & Pick<Store, 'operator'>;

export const RELEASABLE_REASONS: readonly string[] = TASK_HOLD_REASONS.filter(isReleasedFrom);
const MAX_RELEASED = 100_000;

export interface ReleasedTask {
  readonly task: TaskSummary;
  /** Most rows that it may erase; null means the target's own limits. */
  readonly maxRows: number | null;
}

export async function releaseTask(
  store: ReleaseStores,
  id: string,
  options: TaskOptions,
  by: Actor,
): Promise<ReleasedTask> {
  const task = await findTask(store, id, options, { done: 'released', fits: isReleasable });
  await store.operator.release(task.taskNo, by);
  return { task, maxRows: releasedRows(task) };
}

export interface ReleaseAllQuery {
  readonly target: string;
  readonly controller?: string | undefined;
  readonly reason?: string | undefined;
  /** Refused unless it is that many. */
  readonly expected?: ExpectedSize | undefined;
}

/** Numbers of tasks. */
export interface ReleasedTasks {
  readonly released: readonly number[];
  /** Held tasks that could not be released. */
  readonly left: readonly number[];
}

type HeldStores = Pick<ReleaseStores, 'tasks' | 'tenants' | 'operator'>;

async function heldTasks(
  store: HeldStores,
  targets: readonly TargetConfig[],
  { target, controller, reason }: ReleaseAllQuery,
): Promise<TaskSummary[]> {
  await requireTarget(target, targets, store);
  const controllerId = await controllerOf(controller, store.tenants);
  return store.tasks.tasks({
    target,
    state: 'held',
    limit: MAX_RELEASED,
    ...(controllerId !== undefined && { controllerId }),
    ...(reason !== undefined && { reason }),
  });
}

/** What `releaseAllTasks` would release now. */
export async function sizeOfReleaseAll(
  store: HeldStores,
  targets: readonly TargetConfig[],
  query: ReleaseAllQuery,
): Promise<ReleaseSize> {
  return releaseSize((await heldTasks(store, targets, query)).filter(isReleasable));
}

export async function releaseAllTasks(
  store: HeldStores,
  targets: readonly TargetConfig[],
  query: ReleaseAllQuery,
  by: Actor,
): Promise<ReleasedTasks> {
  const held = await heldTasks(store, targets, query);
  requireSize(releaseSize(held.filter(isReleasable)), query.expected);
  const released: number[] = [];
  const left: number[] = [];
  for (const it of held) {
    const outcome = isReleasable(it) ? await tryRelease(store, it, by) : 'left';
    if (outcome === 'released') released.push(it.taskNo);
    if (outcome === 'left') left.push(it.taskNo);
  }
  return { released, left };
}

function isReleasable({ state, reason }: TaskSummary): boolean {
  return state === 'held' && isReleasedFrom(reason);
}

/**
 * Another operator may be releasing the same list: tasks that they have released are skipped, even if they are held
 * again by now, for another reason or for more rows.
 */
async function tryRelease(
  store: Pick<ReleaseStores, 'operator'>,
  { taskNo, changedTime: seenChange }: TaskSummary,
  by: Actor,
): Promise<'released' | 'left' | 'overtaken'> {
  try {
    await store.operator.release(taskNo, { ...by, seenChange });
    return 'released';
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error;
    return error instanceof OwnRequest ? 'left' : 'overtaken';
  }
}
