import type { DatabaseSync } from 'node:sqlite';
import type { KnownHead } from '../../domain/proof-ports.ts';
import type {
  NewReceipt,
  ReceiptFacts,
  ReceiptReader,
  ReceiptStore,
} from '../../domain/receipt.ts';
import {
  factsOf,
  type LastReceiptRow,
  type ReceiptRequestRow,
  type ReceiptTaskRow,
} from '../receipt-facts.ts';
import { prepareAppendAudit } from './audit.ts';
import { inTransaction } from './transaction.ts';

const DUE = `SELECT request_no AS requestNo FROM requests
  WHERE status = 'completed' AND receipted_time IS NULL`;

interface DueRow {
  readonly requestNo: number;
}

export function prepareReceiptsDue(database: DatabaseSync): ReceiptStore['anyDue'] {
  const select = database.prepare(`${DUE} LIMIT 1`);
  return async () => select.get() !== undefined;
}

export function createReceiptReader(database: DatabaseSync): ReceiptReader {
  const select = database.prepare(`
    SELECT document FROM receipts
    WHERE request_no =
      (SELECT request_no FROM requests WHERE controller_id = ? AND subject_request_id = ?)
    ORDER BY receipt_no
  `);
  return {
    async documents({ controllerId, subjectRequestId }) {
      const rows = select.all(controllerId, subjectRequestId) as { document: string }[];
      return rows.map(({ document }) => document);
    },
  };
}

export function createReceiptStore(
  writer: DatabaseSync,
  database: DatabaseSync = writer,
): ReceiptStore {
  const due = database.prepare(`${DUE} ORDER BY request_no LIMIT ?`);
  const dueOf = database.prepare(`${DUE} AND controller_id = ? AND subject_request_id = ?`);
  const facts = prepareFacts(database);
  const add = prepareAdd(writer);
  const nothingDue = prepareMarkDone(writer);
  return {
    ...createReceiptReader(database),
    anyDue: prepareReceiptsDue(database),
    due: async (most) => (due.all(most) as unknown as DueRow[]).map(({ requestNo }) => requestNo),
    async dueOf({ controllerId, subjectRequestId }) {
      const row = dueOf.get(controllerId, subjectRequestId) as DueRow | undefined;
      return row?.requestNo;
    },
    facts: async (requestNos) => requestNos.flatMap((requestNo) => facts(requestNo) ?? []),
    add: async (receipts, now) => add(receipts, now),
    nothingDue: async (requestNos, now) =>
      inTransaction(writer, () => {
        for (const requestNo of requestNos) nothingDue(requestNo, now);
      }),
  };
}

function prepareFacts(database: DatabaseSync) {
  const select = database.prepare(`
    SELECT request_no AS requestNo, controller_id AS controllerId,
           subject_request_id AS subjectRequestId, regulation, submitted_time AS submittedTime,
           received_time AS receivedTime, started_time AS startedTime,
           completed_time AS completedTime, plans.targets AS plan
    FROM requests LEFT JOIN plans USING (plan_id) WHERE request_no = ? AND status = 'completed'
  `);
  // What a later run has not ended yet is for the addendum.
  const tasks = database.prepare(`
    SELECT task_no AS taskNo, target, run, evidence FROM tasks
    WHERE request_no = :requestNo AND task_no > :after AND state = 'erased'
      AND NOT EXISTS (SELECT 1 FROM tasks AS open
        WHERE open.request_no = :requestNo AND open.state <> 'erased' AND open.task_no < tasks.task_no)
    ORDER BY task_no
  `);
  const last = database.prepare(`
    SELECT receipt_no AS receiptNo, document, last_task_no AS lastTaskNo FROM receipts
    WHERE request_no = ? ORDER BY receipt_no DESC LIMIT 1
  `);
  const head = database.prepare(`
    SELECT head_no AS headNo, lower(hex(hash)) AS hash FROM audit_heads
    ORDER BY head_no DESC LIMIT 1
  `);

  return (requestNo: number): ReceiptFacts | undefined => {
    const request = select.get(requestNo) as unknown as ReceiptRequestRow | undefined;
    if (request === undefined) return undefined;
    const before = last.get(requestNo) as unknown as LastReceiptRow | undefined;
    const after = before?.lastTaskNo ?? 0;
    const rows = tasks.all({ requestNo, after }) as unknown as ReceiptTaskRow[];
    return factsOf(request, rows, before, head.get() as unknown as KnownHead | undefined);
  };
}

function prepareAdd(database: DatabaseSync) {
  const insert = database.prepare(`
    INSERT INTO receipts (request_no, receipt_no, last_task_no, created_time, document)
    VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
  `);
  const markDone = prepareMarkDone(database);
  const appendAudit = prepareAppendAudit(database);

  function addOne(receipt: NewReceipt, now: number): void {
    const { requestNo, receiptNo, lastTaskNo, document, sha256 } = receipt;
    const { changes } = insert.run(requestNo, receiptNo, lastTaskNo, now, document);
    markDone(requestNo, now);
    if (Number(changes) === 0) return;
    const { controllerId, subjectRequestId } = receipt;
    const detail = JSON.stringify({ receipt_no: receiptNo, sha256 });
    const action = 'receipt.signed';
    appendAudit(
      { time: now, actor: 'system', action, controllerId, subjectRequestId, detail },
      requestNo,
    );
  }

  return (receipts: readonly NewReceipt[], now: number): void => {
    if (receipts.length === 0) return;
    inTransaction(database, () => {
      for (const receipt of receipts) addOne(receipt, now);
    });
  };
}

/** Not where a task ended meanwhile. While one is open, its end makes an addendum due. */
function prepareMarkDone(database: DatabaseSync) {
  const update = database.prepare(`
    UPDATE requests SET receipted_time = :now
    WHERE request_no = :requestNo AND (
      EXISTS (SELECT 1 FROM tasks WHERE request_no = :requestNo AND state <> 'erased')
      OR NOT EXISTS (
        SELECT 1 FROM tasks WHERE request_no = :requestNo AND task_no >
          (SELECT coalesce(max(last_task_no), 0) FROM receipts WHERE request_no = :requestNo)))
  `);
  return (requestNo: number, now: number): void => {
    update.run({ requestNo, now });
  };
}
