// Concurrent decisions: the second operator is told what the first did, and a caller that repeats a call gets
// the first answer.

import type { AuditAction, AuditRow } from '../domain/audit/audit-row.ts';
import type { RequestKey } from '../domain/request/request.ts';
import type { Store } from '../domain/store/store.ts';
import { objectFromJson } from '../domain/stored-json.ts';
import { type Actor, NotPossible } from '../domain/task/operator-ports.ts';
import type { ControllerId } from '../domain/tenant/controller-id.ts';
import { actorName } from './actor-name.ts';
import { isoTime } from './iso-time.ts';

/** A repeated call comes within this time. */
const REPEATED_MS = 10 * 60_000;

export interface Happened {
  readonly time: string | null;
  readonly actor: string;
  readonly action: string;
  readonly words: string;
}

/** The state does not allow the action; includes what was done instead, if known. */
export class Overtaken extends NotPossible {
  readonly happened: Happened | null;

  constructor(message: string, happened: Happened | null) {
    super(message);
    this.happened = happened;
  }
}

export interface Decision {
  readonly request: RequestKey;
  /** For a decision about a task: its target. Only audit rows about that target count. */
  readonly target?: string;
  readonly action: AuditAction;
  readonly by: Actor;
  /** Whether the present state is what the call asks for; left out if the action alone decides. */
  readonly isDone?: () => Promise<boolean>;
}

/**
 * Does the work. It may be refused because this call was made before: then the newest decision is the same one by
 * the same operator, and its effect is in place, so that nothing more is to be done. Otherwise the refusal says what
 * happened.
 */
export async function decideOnce(
  store: Pick<Store, 'catalogue'>,
  decision: Decision,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error;
    const rows = await rowsAbout(store, decision);
    const { isDone = async () => true } = decision;
    if (isRepeated(rows, decision) && (await isDone())) return;
    const last = rows.at(-1);
    throw new Overtaken(error.message, last === undefined ? null : happenedShape(last));
  }
}

async function rowsAbout(
  { catalogue }: Pick<Store, 'catalogue'>,
  { request, target }: Decision,
): Promise<AuditRow[]> {
  const rows = await catalogue.auditOf(request.controllerId, request.subjectRequestId);
  return rows.filter(({ action, detail }) => {
    if (WORDS[action] === undefined) return false;
    return target === undefined
      ? action.startsWith('request.') || action === 'evidence.accepted'
      : action.startsWith('task.') && isAbout(detail, target);
  });
}

function isAbout(detail: string | null, target: string): boolean {
  if (detail === null) return true;
  const about = objectFromJson(detail)?.target;
  return about === undefined || about === target;
}

/** Automatic consequences of a decision may lie between it and its repetition. */
const FOLLOWING: readonly AuditAction[] = ['request.started', 'request.completed', 'task.erased'];

function isRepeated(rows: readonly AuditRow[], { action, by }: Decision): boolean {
  const last = rows.findLast((row) => !FOLLOWING.includes(row.action));
  return last?.action === action && isJustDone(last, by);
}

/** The newest row of an action that is not about a request. */
export async function newestRow(
  { auditLog }: Pick<Store, 'auditLog'>,
  action: AuditAction,
  controllerId?: ControllerId,
): Promise<AuditRow | undefined> {
  const [row] = await auditLog.list({
    limit: 1,
    action,
    ...(controllerId !== undefined && { controllerId }),
  });
  return row;
}

/** Whether this operator did it a moment ago: the answer to that call may have been lost. */
export function isJustDone(row: AuditRow | undefined, by: Actor): row is AuditRow {
  return row !== undefined && row.actor === by.actor && by.now - row.time < REPEATED_MS;
}

const WORDS: Readonly<Partial<Record<AuditAction, string>>> = {
  'task.released': 'released it',
  'task.retained': 'retained it',
  'task.confirmed': 'confirmed it',
  'task.erased': 'erased it',
  'task.held': 'held it',
  'task.failed': 'tried it, and it failed',
  'request.cancelled': 'cancelled the request',
  'request.start_asked': 'started the request',
  'request.started': 'started the request',
  'request.retried': 'retried the request',
  'request.identified': 'added identities',
  'request.extended': 'extended the deadline',
  'request.completed': 'completed the request',
  'evidence.accepted': 'accepted the evidence',
  'controller.updated': 'changed the controller',
  'controller.closed': 'closed the controller',
};

export function happenedShape({ time, actor, action }: AuditRow): Happened {
  const words = `${actorName(actor)} ${WORDS[action] ?? action} at ${isoTime(time)}`;
  return { time: isoTime(time), actor, action, words };
}
