// What operators may do with a task, and the effect, in either store.

import type { AuditAction, NewAuditRow } from '../audit/audit-row.ts';
import { requireAnother } from '../request/entered.ts';
import type { RequestKey } from '../request/request.ts';
import { tablesFromJson } from '../stored-json.ts';
import type { HoldReason } from '../target/connector.ts';
import { type Actor, NotPossible } from './operator-ports.ts';
import type { Evidence, Tables, TaskPhase, TaskState } from './task.ts';
import { unconfirmedIn, withUnknownEnd } from './unconfirmed.ts';

export interface OperatedTask extends RequestKey {
  readonly taskNo: number;
  readonly requestNo: number;
  readonly target: string;
  readonly connector: string;
  readonly state: TaskState;
  readonly phase: TaskPhase;
  readonly reason: string | null;
  readonly attempts: number;
  readonly previewedRows: number | null;
  /** JSON: rows that its attempts reported as erased. */
  readonly reported: string | null;
  /** What all attempts have erased if the last one did, of which it is not known; null otherwise. */
  readonly recorded: Tables | null;
  readonly changedTime: number;
  /** The actor that submitted its request. */
  readonly createdBy: string;
}

export function noTask(taskNo: number): NotPossible {
  return new NotPossible(`there is no task ${taskNo}`);
}

/** Refuses a decision if the task has changed since the operator saw it. */
export function requireSeen(
  { taskNo, changedTime }: Pick<OperatedTask, 'taskNo' | 'changedTime'>,
  { seenChange = changedTime }: Actor,
): void {
  if (seenChange === changedTime) return;
  throw new NotPossible(`task ${taskNo} has changed since you read it; read it again`);
}

export function requireReleasable(task: OperatedTask, by: Actor): void {
  const { taskNo, reason } = task;
  requireState(task, ['held'], 'released');
  if (reason === 'manual') {
    throw new NotPossible(`task ${taskNo} is for a person to do: confirm it, or retain`);
  }
  if (reason === 'legal_hold') {
    throw new NotPossible(
      `task ${taskNo} waits for the end of a legal hold: lift that ("unwrite legal-hold list"), or retain`,
    );
  }
  requireAnother(task, by, 'release it');
}

/**
 * The state of a task that is released from a lookup: it looks up again, for example with a raised limit. If an
 * operator has added the right identities, it continues with them when the other lookups are done.
 */
export function releasedTo(
  { phase, reason }: OperatedTask,
  hasAdded: boolean,
  now: number,
): { readonly phase: TaskPhase; readonly dueTime: number | null } {
  const isDecided = reason === TOO_MANY && hasAdded;
  return phase === 'resolve' && !isDecided
    ? { phase: 'resolve', dueTime: now }
    : { phase: 'erase', dueTime: null };
}

const TOO_MANY: HoldReason = 'too_many_resolved';

export const RETAINABLE: readonly TaskState[] = ['held', 'failed', 'waiting'];

export function requireRetainable(task: OperatedTask): void {
  requireState(task, RETAINABLE, 'retained');
}

export function requireConfirmable({ taskNo, state, reason }: OperatedTask): void {
  if (state === 'held' && reason === 'manual') return;
  throw new NotPossible(
    `task ${taskNo} is not waiting for a person to do it (it is ${state}); only such tasks are confirmed`,
  );
}

function requireState(task: OperatedTask, states: readonly TaskState[], done: string): void {
  if (states.includes(task.state)) return;
  throw new NotPossible(
    `task ${task.taskNo} is ${task.state}; only ${states.join(' or ')} tasks can be ${done}`,
  );
}

type EndOfTask = Pick<Evidence, 'action' | 'verified'> & Partial<Evidence>;

export const retainedAs = (
  why: { readonly reason: string; readonly legalBasis: string },
  keptRows: number | undefined,
): EndOfTask => ({
  action: 'retained',
  verified: 'not applicable',
  ...(keptRows !== undefined && { kept_rows: keptRows }),
  note: why.reason,
  legal_basis: why.legalBasis,
});

export const confirmedAs = (note: string): EndOfTask => ({
  action: 'confirmed',
  verified: 'confirmed by a person',
  note,
});

/** Rows that the hold has counted; none where an attempt has erased some of them, or may have. */
export function countedByHold(task: OperatedTask): number | undefined {
  const { state, previewedRows: rows, reported, recorded } = task;
  return state === 'held' && rows !== null && reported === null && recorded === null
    ? rows
    : undefined;
}

/**
 * Evidence of a task that an operator ended. Rows reported as erased before stay in it and on the receipt, and so does
 * the number of those that an attempt may have erased whose end is not known.
 */
export function evidenceOfEnd(task: OperatedTask, end: EndOfTask, by: Actor): Evidence {
  const time = new Date(by.now).toISOString();
  const isReported = hasReported(task) && end.action === 'retained';
  return {
    connector: task.connector,
    tables: withUnknownEnd(tablesReported(task), task.recorded ?? tablesReported(task)),
    attempts: task.attempts,
    started_time: time,
    finished_time: time,
    by: by.actor,
    ...end,
    ...(isReported && { verified: 'reported, not re-queried' }),
  };
}

export function auditOfRetaining(task: OperatedTask, why: { readonly legalBasis: string }): object {
  const reported = task.reported !== null && { reported: tablesReported(task) };
  const unconfirmed = task.recorded !== null && {
    unconfirmed: unconfirmedIn(withUnknownEnd(tablesReported(task), task.recorded)),
  };
  return { legal_basis: why.legalBasis, ...reported, ...unconfirmed };
}

function tablesReported({ reported }: OperatedTask): Tables {
  return reported === null ? {} : (tablesFromJson(reported) ?? {});
}

const hasReported = (task: OperatedTask) =>
  Object.values(tablesReported(task)).some(({ rows, detached = 0 }) => rows + detached > 0);

export function auditOfTask(
  { controllerId, subjectRequestId, target }: OperatedTask,
  action: AuditAction,
  detail: object,
  { actor, now }: Actor,
): NewAuditRow {
  const text = JSON.stringify({ target, ...detail });
  return { time: now, actor, action, controllerId, subjectRequestId, detail: text };
}
