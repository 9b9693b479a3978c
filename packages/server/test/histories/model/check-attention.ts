// Nothing waits unseen: whatever does not go on is under attention within minutes.
import type { TaskSummary } from '../../../src/domain/task/task.ts';
import type { System } from '../system/system.ts';
import { requestName } from '../system/world.ts';
import type { Look } from './look.ts';
import { isPausedAt, type Model, Violation } from './model.ts';

const MINUTE = 60_000;
/** What the documentation says of tasks that are due, and some minutes. */
const LATE = 20 * MINUTE;
/** Ten calls of a minute, or twenty statements of ten seconds, and some minutes. */
const LONG = 20 * MINUTE;
/** A lease of half a minute, and some minutes. */
const LOST = 5 * MINUTE;
/** Of a target that is closed for a part of the day. */
const CLOSED = 25 * 60 * MINUTE + LATE;

export function checkAttention(model: Model, seen: Look, system: System): void {
  const shown = new Set(
    seen.attention.map((line) => `${requestName(line)} ${line.target ?? ''}`.trim()),
  );
  for (const task of seen.tasks) {
    const why = needsAttention(model, task, seen, system);
    if (why !== undefined && !shown.has(`${requestName(task)} ${task.target}`)) {
      throw new Violation(`task ${task.taskNo} at ${task.target} ${why}, and is not shown`);
    }
  }
  for (const { name, status, receivedTime } of model.requests.values()) {
    const isLate = seen.now > receivedTime + system.settings.windowMs + LATE;
    if (status === 'pending' && isLate && !shown.has(name)) {
      throw new Violation(`request ${name} is pending for too long, and is not shown`);
    }
  }
  for (const line of seen.attention) checkLine(model, seen, requestName(line), line.reason);
}

/** What is final and has nothing open needs nobody. */
function checkLine(model: Model, seen: Look, name: string, reason: string): void {
  const status = model.requests.get(name)?.status;
  const isOpen = (seen.tasksOf.get(name) ?? []).some(({ state }) => state !== 'erased');
  if (isOpen || status === 'pending' || status === 'in_progress') return;
  throw new Violation(`request ${name} is ${status}, and is shown as ${reason}`);
}

function needsAttention(
  model: Model,
  task: TaskSummary,
  { now, tasksOf }: Look,
  system: System,
): string | undefined {
  const { state, dueTime, taskNo, target, reason } = task;
  if (state === 'held' || state === 'failed') return `is ${state}`;
  if (state === 'waiting') {
    if (isPausedAt(model, target)) return 'is paused';
    const others = tasksOf.get(requestName(task)) ?? [];
    const before = system.targets().find(({ name }) => name === target)?.runsAfter ?? [];
    const mustWait = others.some(
      (one) =>
        one.state !== 'erased' &&
        (one.phase === 'resolve' || before.includes(one.target) || isRunBefore(one, task)),
    );
    if (dueTime === null && !mustWait) return 'waits for nothing';
    if (reason === 'daily_cap' && (dueTime ?? 0) > now) return 'waits for tomorrow';
    const hasHours = system.targets().some(({ name, hours }) => name === target && hours !== null);
    const late = hasHours ? CLOSED : LATE;
    return dueTime !== null && dueTime < now - late ? 'is due and was not begun' : undefined;
  }
  if (state !== 'running') return undefined;
  const since = model.tasks.get(taskNo)?.runningSince ?? now;
  if (since < now - LONG) return 'runs for too long';
  return lostAt(model, task, now, system) < now - LOST ? 'has lost its worker' : undefined;
}

/** Two runs of a request do not erase at a target at once. */
function isRunBefore(one: TaskSummary, { target, run }: TaskSummary): boolean {
  return one.target === target && one.run < run && one.state !== 'held';
}

/** Since when its worker does nothing for it, not even a heartbeat; now: it lives. */
function lostAt(
  model: Model,
  { taskNo, target }: TaskSummary,
  now: number,
  system: System,
): number {
  const lease = model.leases.get(taskNo);
  const worker = system.alive().find(({ name }) => name === lease?.worker);
  const stopped = [...(worker?.runs.values() ?? [])];
  const frozen = stopped.filter(({ way }) => way === 'freezes').map(({ since }) => since);
  if (lease !== undefined && frozen.length === 0 && stopped.some((run) => run.target === target)) {
    return now;
  }
  const name = `${lease?.worker} ${lease?.time} ${taskNo}`;
  const firstSeen = model.lostSince.get(name) ?? now;
  model.lostSince.set(name, firstSeen);
  return Math.max(lease?.time ?? 0, Math.min(firstSeen, ...frozen));
}
