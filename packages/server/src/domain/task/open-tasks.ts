// Which open tasks of a request continue: those that nothing blocks any more, and those that a retry affects.
import type { TaskPhase, TaskState } from './task.ts';

/** Where a task with a due time waits for a worker. */
export const DUE_STATES = ['waiting', 'failed'] as const satisfies readonly TaskState[];

export interface TaskStanding {
  readonly taskNo: number;
  readonly requestNo: number;
  readonly target: string;
  readonly state: TaskState;
  readonly phase: TaskPhase;
  /** Null: blocked, held, or done. */
  readonly dueTime: number | null;
}

export const isDueState = (state: TaskState): boolean => DUE_STATES.some((one) => one === state);

const isBlocked = ({ state, phase, dueTime }: TaskStanding) =>
  phase === 'erase' && state === 'waiting' && dueTime === null;

/** When the last target of a request has resolved, all its targets may erase. */
export function unblockedTasks(tasks: readonly TaskStanding[]): number[] {
  const isResolving = ({ state, phase }: TaskStanding) => phase === 'resolve' && state !== 'erased';
  const resolving = new Set(tasks.filter(isResolving).map(({ requestNo }) => requestNo));
  return tasks
    .filter((task) => isBlocked(task) && !resolving.has(task.requestNo))
    .map(({ taskNo }) => taskNo);
}

/** All that wait for their time are due at once. What waits for another target to resolve goes on waiting. */
export function retriedTasks(tasks: readonly TaskStanding[]): number[] {
  return tasks
    .filter((task) => isDueState(task.state) && (task.dueTime !== null || task.phase === 'resolve'))
    .map(({ taskNo }) => taskNo);
}
