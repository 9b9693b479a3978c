// Checks that what a receipt would state agrees with the audit log. Someone with write access to the database
// can change evidence, but not a row of the log that a signed head covers.
import { readDetail } from '../audit/read-detail.ts';
import { GRANTS, grantedTargets, readRunLog, ENDS as TASK_ENDS } from '../request/granted-runs.ts';
import type { Evidence } from '../task/task.ts';
import type { AcceptedEvidence } from './documents.ts';
import type { ReceiptDigests } from './receipt.ts';

/** A row of the log about the request, which a signed head covers. */
export interface ProvenRow {
  readonly actor: string;
  readonly action: string;
  readonly time: number;
  /** JSON. */
  readonly detail: string | null;
}

/** Stands for stored evidence that does not have the form that Unwrite writes. */
export const UNREADABLE: Evidence = Object.freeze({
  action: 'not_found',
  connector: '',
  tables: {},
  verified: 'not applicable',
  attempts: 0,
  started_time: '',
  finished_time: '',
} as const);

export interface EndedTask {
  readonly taskNo: number;
  readonly target: string;
  readonly run: number;
  readonly evidence: Evidence;
  /** Digest of the stored evidence. */
  readonly digest: string;
}

export interface ToBeSigned {
  readonly receiptNo: number;
  readonly startedTime: number | null;
  readonly completedTime: number | null;
  readonly isAsCreated: boolean;
  readonly planId: string | null;
  readonly planDigest: string | null;
  readonly tasks: readonly EndedTask[];
  /** The receipt before it. */
  readonly previous: ({ readonly receiptNo: number } & ReceiptDigests) | null;
  readonly rows: readonly ProvenRow[];
  /** The request is so old that retention may have removed rows about it. */
  readonly mayBeCut: boolean;
}

export const ENDS: readonly string[] = [...TASK_ENDS, 'evidence.accepted'];

/** Rows that a receipt depends on. */
export const RECEIPT_ACTIONS: readonly string[] = [
  ...ENDS,
  ...GRANTS,
  'request.completed',
  'request.erased_again',
  'receipt.signed',
];

interface Detail {
  readonly target?: unknown;
  readonly task?: unknown;
  readonly evidence?: unknown;
  readonly action?: unknown;
  readonly tables?: unknown;
  readonly receipt_no?: unknown;
  readonly sha256?: unknown;
  readonly full_sha256?: unknown;
  readonly reason?: unknown;
  readonly plan?: unknown;
  readonly targets?: unknown;
}

/** What does not agree, in words; undefined if everything agrees. */
export function problemOf(facts: ToBeSigned): string | undefined {
  const ends = facts.rows.filter(({ action }) => ENDS.includes(action)).map(withDetail);
  return (
    changedRequest(facts) ??
    signedBefore(facts) ??
    changedStart(facts) ??
    changedCompletion(facts) ??
    firstOf(
      facts.tasks,
      (task) => changedEvidence(task, ends, facts) ?? changedRun(task, ends, facts),
    )
  );
}

function changedRequest({ isAsCreated }: ToBeSigned): string | undefined {
  return isAsCreated
    ? undefined
    : 'the request was changed after it was received: its controller, id, number, regulation, submitted_time, received_time or creator';
}

/** No two receipts may have the same number: refuses a number that was signed before. */
function signedBefore({ rows, receiptNo, previous, mayBeCut }: ToBeSigned): string | undefined {
  const signed = rows.filter(({ action }) => action === 'receipt.signed').map(withDetail);
  const lost = signed.find(({ detail }) => Number(detail.receipt_no) >= receiptNo);
  if (lost !== undefined) {
    const { receipt_no, sha256 } = lost.detail;
    const when = new Date(lost.time).toISOString();
    return `receipt ${receipt_no} was signed at ${when} (SHA-256 ${sha256}) and is missing in the store`;
  }
  if (previous === null) return undefined;
  const before = signed.filter(({ detail }) => detail.receipt_no === previous.receiptNo);
  if (before.length === 0) {
    return mayBeCut ? undefined : `receipt ${previous.receiptNo} in the store was never signed`;
  }
  return before.some(({ detail }) => isSigned(detail, previous))
    ? undefined
    : `receipt ${previous.receiptNo} in the store is not the one that was signed`;
}

/** The two were signed together. */
export function isSigned(
  detail: { readonly sha256?: unknown; readonly full_sha256?: unknown },
  { sha256, fullSha256 }: ReceiptDigests,
): boolean {
  return detail.sha256 === sha256 && detail.full_sha256 === fullSha256;
}

function changedStart(facts: ToBeSigned): string | undefined {
  const { rows, startedTime, mayBeCut } = facts;
  const started = rows.filter(({ action }) => action === 'request.started').map(withDetail);
  const last = started.at(-1);
  if (last === undefined) {
    return mayBeCut ? undefined : 'the audit log does not say that the request was started';
  }
  if (!started.some(({ time }) => time === startedTime)) {
    return 'the time of the start is not the one in the audit log';
  }
  return changedPlan(facts, last.detail) ?? lostTask(facts);
}

function changedPlan({ planId, planDigest }: ToBeSigned, { plan }: Detail): string | undefined {
  return plan === undefined || (plan === planId && planDigest?.startsWith(String(planId)) === true)
    ? undefined
    : 'the plan of the request is not the one in the audit log';
}

/**
 * Every planned target must have ended as many tasks as it was to have runs. Addenda cover only some of the
 * targets.
 */
function lostTask({ previous, rows, tasks }: ToBeSigned): string | undefined {
  if (previous !== null) return undefined;
  // Runs asked for after the completion belong to the addendum.
  const options = { eraseAgain: false };
  const { granted } = readRunLog(rows);
  const byTarget = Map.groupBy(tasks, ({ target }) => target);
  return firstOf(grantedTargets(rows), (target) => {
    const ended = byTarget.get(target)?.length ?? 0;
    if (ended >= granted(target, options)) return undefined;
    return ended === 0
      ? `the request was to be erased from ${target}, and there is no task of that target`
      : `identities were added after the request was erased from ${target}, and there is no task for them`;
  });
}

function changedCompletion({ rows, completedTime, mayBeCut }: ToBeSigned): string | undefined {
  const completed = rows.filter(({ action }) => action === 'request.completed');
  if (completed.some(({ time }) => time === completedTime)) return undefined;
  if (completed.length === 0 && mayBeCut) return undefined;
  return completed.length === 0
    ? 'the audit log does not say that the request was completed'
    : 'the time of the completion is not the one in the audit log';
}

function changedEvidence(
  task: EndedTask,
  ends: readonly Row[],
  { mayBeCut }: ToBeSigned,
): string | undefined {
  const { taskNo, target, digest, evidence } = task;
  if (evidence === UNREADABLE) return `the evidence of task ${taskNo} (${target}) cannot be read`;
  const own = ends.filter(({ detail }) => detail.task === taskNo);
  const fits = ({ detail }: Row) => detail.evidence === digest && detail.target === target;
  const [accepted, stated] = [own.filter(isAcceptance), own.filter((row) => !isAcceptance(row))];
  if (accepted.some(fits)) return undefined;
  // A row that agrees does not make up for one that disagrees.
  if (stated.length > 0 && stated.every(fits)) return undefined;
  if (own.length > 0) {
    return `the evidence of task ${taskNo} (${target}) is not what the audit log says`;
  }
  if (mayBeCut) return undefined;
  return `the audit log does not say that task ${taskNo} (${target}) has ended`;
}

/** Runs at a target are counted from 1. */
function changedRun(
  { taskNo, target, run }: EndedTask,
  ends: readonly Row[],
  { mayBeCut }: ToBeSigned,
): string | undefined {
  if (mayBeCut) return undefined;
  const own = ends.map(({ detail }) => detail).filter((it) => it.target === target);
  const place = new Set(own.map(({ task }) => Number(task)).filter((one) => one <= taskNo)).size;
  return run === place
    ? undefined
    : `task ${taskNo} (${target}) is run ${place} by the audit log, not run ${run}`;
}

/** What an operator vouched for, where the log and the evidence disagree. */
export function acceptedEvidence({
  rows,
  tasks,
}: Pick<ToBeSigned, 'rows' | 'tasks'>): AcceptedEvidence[] {
  return rows.flatMap((row) => {
    if (row.action !== 'evidence.accepted') return [];
    const { detail, actor: by, time } = withDetail(row);
    const task = tasks.find(({ taskNo }) => taskNo === detail.task);
    if (task?.digest !== detail.evidence) return [];
    const reason = String(detail.reason ?? '');
    return [{ task: Number(detail.task), by, reason, time: new Date(time).toISOString() }];
  });
}

const isAcceptance = ({ action }: Pick<Row, 'action'>) => action === 'evidence.accepted';

interface Row extends Omit<ProvenRow, 'detail'> {
  readonly detail: Detail;
}

function withDetail(row: ProvenRow): Row {
  return { ...row, detail: readDetail(row) };
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined) {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
