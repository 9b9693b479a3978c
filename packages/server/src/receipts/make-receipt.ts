// Makes the receipt for the controller from the full one: systems by the names that the operator gives them, and no names of
// tables, targets or staff.
import type {
  InclusionProof,
  ReceiptTask,
  Retained,
  RetainedAtSystem,
  SystemOutcome,
} from '../domain/receipt/documents.ts';
import { NOT_PROVEN, tableLines } from '../domain/task/table-words.ts';
import type { UnsignedFullReceipt, UnsignedReceipt } from './canonical.ts';

/** `previousSha256`: of the receipt before it. */
export function makeReceipt(
  full: UnsignedFullReceipt,
  fullSha256: string,
  previousSha256: string | null,
): UnsignedReceipt {
  const { retained, accepted_evidence: accepted, plan, tasks, totals, ...statement } = full;
  const {
    audit_head,
    audit_proof = null,
    key_id,
    previous_receipt: previous,
    ...request
  } = statement;
  const { entered_by: enteredBy, not_found_anywhere, ...facts } = request;
  const labels = new Map(plan.map(({ target, label }) => [target, label ?? target]));
  const systemOf = (target: string) => labels.get(target) ?? target;
  const taskOf = new Map(tasks.map((task) => [task.task, task]));
  return {
    ...facts,
    document: 'unwrite receipt',
    ...(enteredBy !== undefined && { entered_by: 'the processor' }),
    previous_receipt: previous && {
      receipt_no: previous.receipt_no,
      sha256: previousSha256 ?? '',
    },
    not_found_anywhere,
    retained: together(retained.map((kept) => keptOf(kept, systemOf, taskOf.get(kept.task)))),
    ...(accepted !== undefined && {
      accepted_evidence: accepted.map(({ task, reason, time }) => ({
        system: systemOf(taskOf.get(task)?.target ?? ''),
        reason,
        time,
      })),
    }),
    systems: tasks.map((task) => systemOutcome(task, systemOf)),
    totals,
    full_receipt_sha256: fullSha256,
    audit_head,
    audit_proof: withoutNames(audit_proof),
    key_id,
  };
}

function systemOutcome(task: ReceiptTask, systemOf: (target: string) => string): SystemOutcome {
  const rows: Record<string, number> = {};
  for (const { words, rows: count } of task.tables.flatMap(tableLines)) {
    const name = words.replaceAll(' ', '_');
    if (count > 0) rows[name] = (rows[name] ?? 0) + count;
  }
  if (task.kept_rows) rows.retained = (rows.retained ?? 0) + task.kept_rows;
  const { skipped_tables: skipped, already_erased_by: others, service } = task;
  return {
    system: systemOf(task.target),
    run: task.run,
    action: task.action,
    verified: task.verified,
    rows,
    ...(skipped !== undefined && { tables_not_asked: skipped.length }),
    ...(others !== undefined && { already_erased_by: others }),
    ...(service?.leaves.length && { leaves: service.leaves }),
    ...(service?.comes_back.length && { comes_back: service.comes_back }),
    started_time: task.started_time,
    finished_time: task.finished_time,
  };
}

function keptOf(
  kept: Retained,
  systemOf: (target: string) => string,
  task: ReceiptTask | undefined,
): RetainedAtSystem {
  const { rows, reason } = kept;
  const system = systemOf(kept.target);
  if ('table' in kept) return { system, rows, reason, decided_by: decidedBy(reason, task) };
  const basis = kept.legal_basis === null ? {} : { legal_basis: kept.legal_basis };
  return { system, rows, reason, ...basis, decided_by: 'a person' };
}

export function decidedBy(
  reason: string | null,
  task: Pick<ReceiptTask, 'connector'> | undefined,
): RetainedAtSystem['decided_by'] {
  if (reason === NOT_PROVEN) return 'a person';
  const isOwnCode = task?.connector === 'http' || task?.connector === 'module';
  return isOwnCode ? 'the system' : 'the configuration';
}

/** Tables of one system that are kept for one reason are one entry. */
function together(kept: readonly RetainedAtSystem[]): RetainedAtSystem[] {
  const same = Map.groupBy(kept, ({ rows, ...it }) =>
    JSON.stringify({ ...it, isNull: rows === null }),
  );
  return [...same.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    if (first.rows === null) return [first];
    const rows = others.reduce((sum, it) => sum + (it.rows ?? 0), first.rows);
    return [{ ...first, rows }];
  });
}

/** Rows of operators and of tasks name people and targets. What is left out can be asked for at /receipts/{id}/proof. */
function withoutNames(proof: InclusionProof | null): InclusionProof | null {
  if (proof === null) return null;
  const { actor, action } = JSON.parse(proof.entry) as { actor?: unknown; action?: unknown };
  return actor === 'system' && String(action).startsWith('request.') ? proof : null;
}
