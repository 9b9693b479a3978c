// Makes new tasks: those of a plan, and further runs of tasks that were done.
import type { Evidence, PlannedTask, TaskHoldReason, TaskPhase } from './task.ts';

export interface NewTask {
  readonly requestNo: number;
  readonly target: string;
  readonly connector: string;
  readonly phase: TaskPhase;
  /** 1 if its target looks up identities first. */
  readonly resolves: 0 | 1;
  readonly state: 'waiting' | 'held';
  readonly dueTime: number | null;
  readonly reason: TaskHoldReason | null;
  readonly detail: string | null;
  /** Names of targets, as JSON; null if it waits for none. */
  readonly waitsFor: string | null;
}

/**
 * No target erases before all targets with `resolve` have looked up identities, nor before the targets that it
 * waits for are done.
 */
export function plannedTasks(
  requestNo: number,
  tasks: readonly PlannedTask[],
  now: number,
): NewTask[] {
  const resolvesFirst = tasks.some(({ phase }) => phase === 'resolve');
  const targets = new Set(tasks.map(({ target }) => target));
  return tasks.map(({ target, connector, phase, held, waitsFor = [] }) => {
    const isWaiting = resolvesFirst || waitsFor.some((other) => targets.has(other));
    const isBlocked = isWaiting && phase === 'erase';
    return {
      requestNo,
      target,
      connector,
      phase,
      resolves: phase === 'resolve' ? 1 : 0,
      state: held === null ? 'waiting' : 'held',
      dueTime: held !== null || isBlocked ? null : now,
      reason: held?.reason ?? null,
      detail: held?.detail ?? null,
      waitsFor: storedNames(waitsFor),
    };
  });
}

const storedNames = (targets: readonly string[]) =>
  targets.length === 0 ? null : JSON.stringify(targets);

type Hold = { readonly reason: TaskHoldReason; readonly detail: string } | null;

/** The previous run. */
export interface RunBefore {
  readonly target: string;
  readonly connector: string;
  readonly resolves: boolean;
  readonly action: Evidence['action'] | null;
  /** As stored. */
  readonly waitsFor: string | null;
}

/**
 * A run because identities were added. If a person had erased by hand or decided to retain, the new run is held
 * for a decision.
 */
export function runForAdded(requestNo: number, before: RunBefore, now: number): NewTask {
  return anotherRun(requestNo, before, holdForAdded(before), now);
}

function holdForAdded({ connector, action }: RunBefore): Hold {
  if (connector === 'manual') {
    const detail =
      'identities were added or looked up anew: a person has to erase by hand again, and to confirm it';
    return { reason: 'manual', detail };
  }
  const why = 'identities were added, and this target was retained before';
  return action === 'retained' ? retainedBefore(why) : null;
}

/** A run because the target is to be erased again; `action` is how its last run ended, if there was one. */
export function runAgain(
  requestNo: number,
  { target, connector, phase, held, waitsFor = [] }: PlannedTask,
  action: Evidence['action'] | null,
  now: number,
): NewTask {
  const why = 'to be erased again, and this target was retained before';
  const hold = held ?? (action === 'retained' ? retainedBefore(why) : null);
  const before = { target, connector, resolves: phase === 'resolve' };
  return anotherRun(requestNo, { ...before, waitsFor: storedNames(waitsFor) }, hold, now);
}

export function retainedBefore(why: string): NonNullable<Hold> {
  return { reason: 'retained_before', detail: `${why}: release, or retain again` };
}

/** A task that only erases becomes due when all lookups, and all targets that it waits for, are done. */
function anotherRun(
  requestNo: number,
  { target, connector, resolves, waitsFor }: Omit<RunBefore, 'action'>,
  hold: Hold,
  now: number,
): NewTask {
  const resolvesNow = hold === null && resolves;
  return {
    requestNo,
    target,
    connector,
    phase: resolvesNow ? 'resolve' : 'erase',
    resolves: resolves ? 1 : 0,
    state: hold === null ? 'waiting' : 'held',
    dueTime: resolvesNow ? now : null,
    reason: hold?.reason ?? null,
    detail: hold?.detail ?? null,
    waitsFor,
  };
}
