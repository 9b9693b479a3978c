// Which open tasks of a request continue: those that nothing blocks any more, and those that a retry affects.
import type { TaskPhase, TaskState } from './task.ts';

/** States in which a task with a due time waits for a worker. */
export const DUE_STATES = ['waiting', 'failed'] as const satisfies readonly TaskState[];

export interface TaskStanding {
  readonly taskNo: number;
  readonly requestNo: number;
  readonly target: string;
  readonly state: TaskState;
  readonly phase: TaskPhase;
  /** Null if the task is blocked, held or done. */
  readonly dueTime: number | null;
  /** Names of targets, as JSON. */
  readonly waitsFor: string | null;
}

export const isDueState = (state: TaskState): boolean => DUE_STATES.some((one) => one === state);

const isBlocked = ({ state, phase, dueTime }: TaskStanding) =>
  phase === 'erase' && state === 'waiting' && dueTime === null;

/** When the last lookup of a request is done, each of its targets may erase once those that it waits for are done. */
export function unblockedTasks(tasks: readonly TaskStanding[]): number[] {
  const open = Map.groupBy(
    tasks.filter(({ state }) => state !== 'erased'),
    ({ requestNo }) => requestNo,
  );
  const free = tasks.filter((task) => {
    const others = open.get(task.requestNo) ?? [];
    return isBlocked(task) && !mustWait(task, others) && !isOutrun(task, others);
  });
  const isMoving = new Set(free.map(({ requestNo }) => requestNo));
  // Orders of two configurations may contradict each other: tasks that wait only for one another run, oldest first.
  const stuck = [...open.values()].flatMap((all) =>
    all.every(isBlocked) && !all.some(({ requestNo }) => isMoving.has(requestNo))
      ? all.toSorted((a, b) => a.taskNo - b.taskNo).slice(0, 1)
      : [],
  );
  return [...free, ...stuck].map(({ taskNo }) => taskNo);
}

type OpenTask = Pick<TaskStanding, 'target' | 'phase' | 'state' | 'dueTime'> & {
  /** Undefined for a task that is about to be added. */
  readonly taskNo?: number;
};

/** `open`: the tasks of its request that are not done. */
export function mustWait(
  task: Pick<TaskStanding, 'waitsFor' | 'taskNo' | 'target'>,
  open: readonly OpenTask[],
): boolean {
  const { waitsFor } = task;
  const names: readonly string[] = waitsFor === null ? [] : JSON.parse(waitsFor);
  return open.some(
    (other) =>
      other.phase === 'resolve' || names.includes(other.target) || isEarlierRun(other, task),
  );
}

/** Two runs of a request do not erase at a target at once. A held run is not waited for: an operator has to decide. */
function isEarlierRun(
  { taskNo, target, state }: OpenTask,
  later: Pick<TaskStanding, 'taskNo' | 'target'>,
): boolean {
  if (target !== later.target || taskNo === undefined || taskNo >= later.taskNo) return false;
  return state !== 'held';
}

/** A later run was let go while this one was held: it ends first. */
function isOutrun({ taskNo, target }: TaskStanding, open: readonly TaskStanding[]): boolean {
  return open.some(
    (other) =>
      other.target === target &&
      other.taskNo > taskNo &&
      other.state !== 'held' &&
      !isBlocked(other),
  );
}

/** Makes all tasks that wait for their time due now. Tasks that wait for another target's lookup keep waiting. */
export function retriedTasks(tasks: readonly TaskStanding[]): number[] {
  return tasks
    .filter((task) => isDueState(task.state) && (task.dueTime !== null || task.phase === 'resolve'))
    .map(({ taskNo }) => taskNo);
}
