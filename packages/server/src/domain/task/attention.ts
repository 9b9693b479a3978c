// What needs an operator's attention. The rule lists exceptions: a task is left out only if it is done, about
// to be tried, or leased by a live worker.
import { expectedCompletion, THIRTY_DAYS } from '../deadline/expected-completion.ts';
import { isLimitReached } from '../limit/daily-count.ts';
import { HOUR_MS, MINUTE_MS } from '../time-units.ts';
import { LATEST_RETRY_MS } from './backoff.ts';
import type { AttentionLine, TaskPhase, TaskState } from './task.ts';

/** Longer than the sweep and a lease ever take. */
const GRACE = 15 * MINUTE_MS;
const PATIENT_GRACE = 25 * HOUR_MS;

/** A graph shows larger counts only as "more than this". */
export const MAX_ATTENTION_COUNTED = 10_000;

/** A task that is not done. */
export interface OpenTask {
  readonly state: Exclude<TaskState, 'erased'>;
  readonly phase: TaskPhase;
  readonly target: string;
  readonly dueTime: number | null;
  readonly changedTime: number;
  readonly attempts: number;
  readonly reason: string | null;
  /** Start of the time until the deadline. */
  readonly receivedTime: number;
  /** Erasing at its target is paused. */
  readonly isPaused: boolean;
  /** Text of the last attempt. */
  readonly detail: string | null;
  /** Why its target is down; null if it is not. */
  readonly circuitCode: string | null;
  readonly circuitDetail: string | null;
  /** End of the lease of the task's batch; null if it has no batch. */
  readonly leaseUntil: number | null;
  /** Another target of the same request must first look up, or erase. */
  readonly hasToWait: boolean;
}

export interface AttentionTimes {
  readonly now: number;
  /** Targets outside their hours, now or until a moment ago: their tasks may wait for a day. */
  readonly patientTargets: readonly string[];
  /** Milliseconds by target: how long a batch may take by the target's timeouts. */
  readonly batchLimits?: ReadonlyMap<string, number>;
}

/** Null if nothing is wrong with the task. */
export function reasonOfTask(task: OpenTask, times: AttentionTimes): string | null {
  return reasonOfState(task, times) ?? (isPastDeadline(task, times) ? 'past_deadline' : null);
}

function reasonOfState(task: OpenTask, times: AttentionTimes): string | null {
  const { state, reason, isPaused, circuitCode } = task;
  if (state === 'held' || state === 'failed') return reason ?? state;
  if (state === 'waiting' && isPaused) return 'paused';
  if (state === 'running') return reasonOfRunning(task, times);
  return circuitCode ?? reasonOfWaiting(task, times);
}

function reasonOfRunning(task: OpenTask, { now, batchLimits }: AttentionTimes): string | null {
  const { leaseUntil, attempts, reason, changedTime, target, circuitCode } = task;
  if (leaseUntil === null || leaseUntil < now - MINUTE_MS || leaseUntil > now + HOUR_MS) {
    return 'worker_gone';
  }
  // Checked first, because only a restart ends an attempt that hangs.
  if (changedTime < now - (batchLimits?.get(target) ?? HOUR_MS)) return 'taking_long';
  // A task that is being retried stays listed until the attempt succeeds.
  return circuitCode ?? (attempts > 1 ? reason : null);
}

function reasonOfWaiting(task: OpenTask, { now, patientTargets }: AttentionTimes): string | null {
  const { dueTime, phase, hasToWait, reason, target } = task;
  if (dueTime === null) return phase === 'resolve' || !hasToWait ? 'blocked' : null;
  if (reason === 'daily_cap' && dueTime >= now && dueTime <= now + PATIENT_GRACE) {
    return 'daily_cap';
  }
  const grace = patientTargets.includes(target) ? PATIENT_GRACE : GRACE;
  return dueTime < now - grace || dueTime > now + LATEST_RETRY_MS ? 'not_worked_on' : null;
}

/** The text that belongs to the reason: of the target that is down, or of the task's last attempt. */
export function detailOf(task: OpenTask, reason: string): string | null {
  const { state, detail, circuitCode, circuitDetail } = task;
  const isOfTarget = state !== 'held' && state !== 'failed' && reason === circuitCode;
  return isOfTarget ? circuitDetail : detail;
}

function isPastDeadline({ receivedTime }: OpenTask, { now }: AttentionTimes): boolean {
  return expectedCompletion(receivedTime) < now;
}

/**
 * A waiting task that is due between these times, of a request received since, is about to be tried, unless its
 * target is paused, down or at its daily limit. A store need not read these tasks, which may be very many.
 */
export function aboutToBeTried(now: number) {
  return {
    dueFrom: now - GRACE,
    dueUntil: now + LATEST_RETRY_MS,
    receivedSince: now - THIRTY_DAYS,
  };
}

/** Pending requests received before the first time or after the second need a look. */
export function pendingTooLong(now: number, cancellationWindowMs: number) {
  return { lateBefore: now - cancellationWindowMs - GRACE, aheadAfter: now + GRACE };
}

export function reasonOfPending(
  {
    receivedTime,
    startsToday,
  }: {
    readonly receivedTime: number;
    /** Requests of the same controller that were started today. */
    readonly startsToday: number;
  },
  {
    now,
    maxStartsPerDay = null,
  }: { readonly now: number; readonly maxStartsPerDay?: number | null },
): string {
  const waitsForTomorrow = receivedTime < now && isLimitReached(startsToday, maxStartsPerDay);
  return waitsForTomorrow ? 'daily_cap' : 'not_started';
}

/** Reason for a request in progress without an open task, which the sweep or the last task should have moved on. */
export function reasonWithoutTasks(
  { isPlanned, startedTime }: { readonly isPlanned: boolean; readonly startedTime: number | null },
  now: number,
): string | null {
  if (isPlanned) return 'not_completed';
  return (startedTime ?? 0) < now - GRACE ? 'not_planned' : null;
}

export const PAUSED =
  'erasing is paused; "unwrite resume" resumes it, or "unwrite resume --target <name>" where only the target is paused';

/** Texts for reasons that come without a text. */
const WORDS: Readonly<Record<string, string>> = {
  held: 'a person has to decide: release or retain it',
  failed: 'it failed; retry it, or retain',
  worker_gone: 'its worker stopped; another takes over within a minute of the server starting',
  taking_long:
    'it has been running for longer than the timeouts of its target allow: does the target hang? After a restart of the server, another worker takes over',
  not_worked_on:
    'it is due and was not started: is the server running, is its clock right, or is the queue long?',
  blocked:
    'it waits for another target of the request (a lookup by "resolve", or "after"), but none has anything left to do; retry it',
  past_deadline: 'the expected completion time has passed',
  paused: PAUSED,
  daily_cap: 'max_starts_per_day is reached for its controller; it starts tomorrow (UTC)',
  not_started: 'its cancellation window has passed and it was not started: is the server running?',
  not_planned: 'it has no tasks: is the server running?',
  not_completed: 'it has no open task but is not completed, which should not happen: retry it',
};

/** Reasons for which the detail of the last attempt does not matter. */
const IGNORES_LAST_DETAIL: readonly string[] = [
  'paused',
  'worker_gone',
  'taking_long',
  'not_worked_on',
  'blocked',
];

export function withWords({
  detail,
  ...line
}: Omit<AttentionLine, 'detail' | 'law'> & { readonly detail: string | null }): Omit<
  AttentionLine,
  'law'
> {
  return {
    ...line,
    detail: (IGNORES_LAST_DETAIL.includes(line.reason) ? null : detail) ?? wordsFor(line.reason),
  };
}

/** Codes of targets are reasons too, and may be `constructor`. */
function wordsFor(reason: string): string {
  return Object.hasOwn(WORDS, reason) ? (WORDS[reason] ?? '') : '';
}
