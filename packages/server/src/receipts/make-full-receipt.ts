// Makes the full receipt from what the store has about a request.
import { formatTimestamp } from '@unwrite/protocol';
import type {
  FullReceipt,
  ReceiptTable,
  ReceiptTask,
  Retained,
  Totals,
} from '../domain/receipt/documents.ts';
import type { ReceiptFacts, ReceiptProof } from '../domain/receipt/receipt.ts';
import { isEntered } from '../domain/request/entered.ts';
import { foundNowhere } from '../domain/request/outcome.ts';
import { rowsInWords, tableLines } from '../domain/task/table-words.ts';
import type { TableActionName } from '../domain/task/task.ts';
import { hashDocument, type UnsignedFullReceipt } from './canonical.ts';

export interface Signing {
  readonly domain: string;
  readonly isSandbox?: boolean;
  readonly keyId: string;
  readonly now: number;
  readonly proof: Pick<
    Extract<ReceiptProof, { outcome: 'proven' }>,
    'head' | 'inclusion' | 'accepted'
  >;
}

export function makeFullReceipt(facts: ReceiptFacts, signing: Signing): UnsignedFullReceipt {
  const { domain, isSandbox = false, keyId, now, proof } = signing;
  const { previous } = facts;
  const tasks = facts.tasks.map(taskOf);
  return {
    document: 'unwrite full receipt',
    version: 1,
    receipt_no: (previous?.receiptNo ?? 0) + 1,
    previous_receipt: previous && {
      receipt_no: previous.receiptNo,
      sha256: hashDocument(previous.fullDocument),
    },
    processor_domain: domain,
    ...(isSandbox && { sandbox: true }),
    controller_id: facts.controllerId,
    subject_request_id: facts.subjectRequestId,
    regulation: facts.regulation,
    submitted_time: facts.submittedTime,
    received_time: formatTimestamp(facts.receivedTime),
    ...(isEntered(facts) && { entered_by: facts.createdBy }),
    started_time: timeOf(facts.startedTime),
    completed_time: timeOf(facts.completedTime),
    signed_time: formatTimestamp(now),
    not_found_anywhere: foundNowhere(tasks) && !saysFound(previous),
    retained: tasks.flatMap(retainedOf),
    ...(proof.accepted.length > 0 && { accepted_evidence: proof.accepted }),
    plan: facts.plan.map(({ target, label, connector, digest }) => ({
      target,
      ...(label !== undefined && { label }),
      connector,
      configuration: digest || null,
    })),
    tasks,
    totals: totalsOf(tasks),
    audit_head: proof.head,
    audit_proof: proof.inclusion,
    key_id: keyId,
  };
}

/**
 * Applies to the whole request: if an earlier receipt says that the person was found, the addendum must not
 * say "found nowhere".
 */
function saysFound(previous: ReceiptFacts['previous']): boolean {
  if (previous === null) return false;
  return (JSON.parse(previous.fullDocument) as FullReceipt).not_found_anywhere !== true;
}

function timeOf(time: number | null): string | null {
  return time === null ? null : formatTimestamp(time);
}

function taskOf({ taskNo, target, run, evidence }: ReceiptFacts['tasks'][number]): ReceiptTask {
  const { action, connector, configuration, tables, ...rest } = evidence;
  return {
    target,
    task: taskNo,
    run,
    connector,
    ...(configuration !== undefined && { configuration }),
    action,
    // A list, because JavaScript sorts object keys that look like numbers.
    tables: Object.entries(tables).map(([table, done]) => ({ table, ...done })),
    ...rest,
  };
}

function retainedOf(task: ReceiptTask): Retained[] {
  const { target, task: taskNo } = task;
  const byTable = task.tables.flatMap(({ table, ...evidence }) =>
    tableLines(evidence)
      .filter(({ action }) => action === 'retain')
      .map(({ rows, why: reason }) => ({ target, task: taskNo, table, rows, reason })),
  );
  if (task.action !== 'retained') return byTable;
  const byPerson = {
    target,
    task: taskNo,
    rows: task.kept_rows ?? null,
    legal_basis: task.legal_basis ?? null,
    reason: task.note ?? null,
    by: task.by ?? null,
    time: task.finished_time,
  };
  return [...byTable, byPerson];
}

function totalsOf(tasks: readonly ReceiptTask[]): Totals {
  const tables = tasks.flatMap((task) => task.tables);
  const unconfirmed = rowsInWords(tables, 'unconfirmed');
  const kept = tasks.reduce((sum, task) => sum + (task.kept_rows ?? 0), 0);
  return {
    tasks: tasks.length,
    rows_deleted: rowsOf(tables, 'delete'),
    rows_overwritten: rowsOf(tables, 'overwrite'),
    rows_erased: rowsOf(tables, 'erase'),
    rows_retained: rowsOf(tables, 'retain') + kept,
    rows_removed_by_cascade: rowsOf(tables, 'cascade'),
    rows_detached: rowsOf(tables, 'detach'),
    rows_shared_and_kept: rowsInWords(tables, 'shared and kept'),
    rows_already_gone: rowsInWords(tables, 'already gone'),
    ...(unconfirmed > 0 && { rows_unconfirmed: unconfirmed }),
  };
}

function rowsOf(tables: readonly ReceiptTable[], wanted: TableActionName): number {
  return tables
    .flatMap(tableLines)
    .reduce((sum, { action, rows }) => (action === wanted ? sum + rows : sum), 0);
}
