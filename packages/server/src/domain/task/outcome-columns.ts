// How an outcome changes its task, for both stores.
import type { AuditAction } from '../audit/audit-row.ts';
import type { IntentEnd, Tables, TaskOutcome, TaskPhase, TaskState } from './task.ts';

export interface OutcomeColumns {
  readonly state: TaskState;
  /** Null means unchanged. */
  readonly phase: TaskPhase | null;
  readonly dueTime: number | null;
  readonly reason: string | null;
  readonly detail: string | null;
  /** Null means unchanged. */
  readonly previewedRows: number | null;
  /** Null means unchanged. */
  readonly reported: Tables | null;
}

/** Capped for storing, because a larger number is not exact. */
const countable = (rows: number | null) => rows && Math.min(rows, Number.MAX_SAFE_INTEGER);

const NOTHING = {
  phase: null,
  dueTime: null,
  reason: null,
  detail: null,
  previewedRows: null,
  reported: null,
} as const;

export function columnsOf(outcome: TaskOutcome): OutcomeColumns {
  switch (outcome.outcome) {
    case 'erased':
      return { ...NOTHING, state: 'erased' };
    case 'held': {
      const { reason, detail, reported = null } = outcome;
      const previewedRows = countable(outcome.previewedRows);
      return { ...NOTHING, state: 'held', reason, detail, previewedRows, reported };
    }
    case 'failed':
    case 'waiting': {
      const { code, detail, dueTime, reported = null } = outcome;
      return { ...NOTHING, state: outcome.outcome, dueTime, reason: code, detail, reported };
    }
    case 'pending': {
      const { detail, dueTime, reported = null } = outcome;
      return { ...NOTHING, state: 'waiting', dueTime, detail, reported };
    }
    case 'resolved':
      return { ...NOTHING, state: 'waiting', phase: 'erase' };
  }
}

/** How far the attempt got, if that is known. */
export function intentEndOf(outcome: TaskOutcome): IntentEnd | undefined {
  return 'intent' in outcome ? outcome.intent : undefined;
}

/** Repeated failures of a task for the same reason are logged once. */
export function auditOfOutcome(
  outcome: TaskOutcome,
  before: string | null,
): { action: AuditAction; detail: object } | undefined {
  switch (outcome.outcome) {
    case 'erased':
      return {
        action: 'task.erased',
        detail: { action: outcome.evidence.action, tables: outcome.evidence.tables },
      };
    case 'held':
      return {
        action: 'task.held',
        detail: { reason: outcome.reason, rows: countable(outcome.previewedRows) },
      };
    case 'failed':
      return outcome.code === before
        ? undefined
        : { action: 'task.failed', detail: { reason: outcome.code } };
    default:
      return undefined;
  }
}
