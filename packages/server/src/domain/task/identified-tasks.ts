// What happens to a request's tasks when an operator adds identities: work that was done without them is repeated,
// and nothing is erased before all lookups have used them.

import { type NewTask, runForAdded } from './new-task.ts';
import { isDueState, mustWait } from './open-tasks.ts';
import type { Evidence, TaskPhase, TaskState } from './task.ts';

export interface KnownTask {
  readonly taskNo: number;
  readonly target: string;
  readonly run: number;
  readonly connector: string;
  readonly phase: TaskPhase;
  readonly resolves: boolean;
  readonly state: TaskState;
  readonly dueTime: number | null;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly changedTime: number;
  /** `action` of its evidence. */
  readonly action: Evidence['action'] | null;
  /** One of its attempts has reported rows as erased. */
  readonly hasErased: boolean;
  /** Names of targets, as JSON. */
  readonly waitsFor: string | null;
}

export interface IdentifiedTasks {
  readonly runs: readonly NewTask[];
  readonly changed: readonly KnownTask[];
}

export function tasksAfterIdentities(
  requestNo: number,
  tasks: readonly KnownTask[],
  now: number,
): IdentifiedTasks {
  const lastRun = new Map<string, number>();
  for (const { target, run } of tasks) {
    lastRun.set(target, Math.max(run, lastRun.get(target) ?? 0));
  }
  const isLast = ({ target, run }: KnownTask) => run === lastRun.get(target);
  const again = new Set(tasks.filter((task) => isLast(task) && runsAgain(task)));
  const runs = [...again].map((task) => runForAdded(requestNo, task, now));
  const after = tasks
    .map((task) => (isUnusable(task) ? goOn(task, now) : task))
    .map((task, at) => {
      const isNewest = isLast(task) && !again.has(tasks[at] as KnownTask);
      return isNewest && mustResolveAgain(task) ? resolveAgain(task, now) : task;
    });
  const open = [...after, ...runs].filter(({ state }) => state !== 'erased');
  const changed = after.map((task) =>
    mayErase(task) && mustWait(task, open) ? block(task) : task,
  );
  return { runs, changed: changed.filter((task, at) => task !== tasks[at]) };
}

/** True if it is done or under way. A held task that has erased looks up the added identities in another run. */
function runsAgain(task: KnownTask): boolean {
  if (task.state === 'erased' || task.state === 'running') return true;
  return isHeldAfterLookup(task) && task.hasErased;
}

/** If an operator retained the previous run, only an operator lets it continue. */
function isHeldAfterLookup({ state, phase, resolves, reason }: KnownTask): boolean {
  return state === 'held' && phase === 'erase' && resolves && reason !== 'retained_before';
}

function isUnusable({ state, reason }: KnownTask): boolean {
  return state === 'held' && reason === 'no_usable_identity';
}

function goOn(task: KnownTask, now: number): KnownTask {
  const dueTime = task.phase === 'resolve' ? now : null;
  return { ...task, state: 'waiting', dueTime, reason: null, detail: null, changedTime: now };
}

function mayErase({ phase, state }: KnownTask): boolean {
  return phase === 'erase' && isDueState(state);
}

/**
 * A task that has looked up and not erased looks up again. So does a task that is held after a lookup: the new
 * lookup decides whether it stays held.
 */
function mustResolveAgain(task: KnownTask): boolean {
  return (task.resolves && mayErase(task)) || isHeldAfterLookup(task);
}

function resolveAgain(task: KnownTask, now: number): KnownTask {
  const waiting = { state: 'waiting', reason: null, detail: null } as const;
  return { ...task, ...waiting, phase: 'resolve', dueTime: now, changedTime: now };
}

function block(task: KnownTask): KnownTask {
  return { ...task, state: 'waiting', dueTime: null };
}
