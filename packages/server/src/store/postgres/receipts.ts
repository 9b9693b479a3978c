import type { NewReceipt, ReceiptReader, ReceiptStore } from '../../domain/receipt.ts';
import { appendAudit } from './audit.ts';
import type { Database, Sql } from './database.ts';
import { readReceiptFacts } from './receipt-facts.ts';
import { findRequestNo } from './request-no.ts';

const DUE = `SELECT request_no AS "requestNo" FROM @requests
  WHERE status = 'completed' AND receipted_time IS NULL`;

interface DueRow {
  readonly requestNo: number;
}

function createReceiptReader(database: Database): ReceiptReader {
  return {
    async documents(request) {
      const requestNo = await findRequestNo(database, request);
      if (requestNo === undefined) return [];
      const rows = await database.all<{ document: string }>(
        'SELECT document FROM @receipts WHERE request_no = $1 ORDER BY receipt_no',
        [requestNo],
      );
      return rows.map(({ document }) => document);
    },
  };
}

export function createReceiptStore({ one, unprepared: database }: Database): ReceiptStore {
  return {
    ...createReceiptReader(database),
    // Asked every second.
    anyDue: async () => (await one(`${DUE} ORDER BY request_no LIMIT 1`)) !== undefined,
    async due(most) {
      const rows = await database.all<DueRow>(`${DUE} ORDER BY request_no LIMIT $1`, [most]);
      return rows.map(({ requestNo }) => requestNo);
    },
    async dueOf(request) {
      const requestNo = await findRequestNo(database, request);
      if (requestNo === undefined) return undefined;
      return (await database.one<DueRow>(`${DUE} AND request_no = $1`, [requestNo]))?.requestNo;
    },
    facts: (requestNos) => readReceiptFacts(database, requestNos),
    async add(receipts, now) {
      if (receipts.length === 0) return;
      await database.transaction((sql) => addReceipts(sql, receipts, now));
    },
    nothingDue: (requestNos, now) =>
      database.transaction(async (sql) => {
        await markDone(sql, await lockRequests(sql, requestNos), now);
      }),
  };
}

async function addReceipts(sql: Sql, all: readonly NewReceipt[], now: number): Promise<void> {
  // One that is not there any more was forgotten, or is in the archive and has its receipt.
  const there = new Set(
    await lockRequests(
      sql,
      all.map(({ requestNo }) => requestNo),
    ),
  );
  const receipts = all.filter(({ requestNo }) => there.has(requestNo));
  const added = await sql.all<DueRow>(
    `INSERT INTO @receipts (request_no, receipt_no, last_task_no, created_time, document)
     SELECT request_no, receipt_no, last_task_no, $4, document
     FROM unnest($1::bigint[], $2::int[], $3::bigint[], $5::text[])
       AS made (request_no, receipt_no, last_task_no, document)
     ON CONFLICT DO NOTHING RETURNING request_no AS "requestNo"`,
    [
      receipts.map(({ requestNo }) => requestNo),
      receipts.map(({ receiptNo }) => receiptNo),
      receipts.map(({ lastTaskNo }) => lastTaskNo),
      now,
      receipts.map(({ document }) => document),
    ],
  );
  await markDone(sql, [...there], now);
  const isAdded = new Set(added.map(({ requestNo }) => requestNo));
  await appendAudit(
    sql,
    receipts
      .filter(({ requestNo }) => isAdded.has(requestNo))
      .map(({ requestNo, controllerId, subjectRequestId, receiptNo, sha256 }) => ({
        ...{ time: now, actor: 'system', action: 'receipt.signed' as const },
        ...{ controllerId, subjectRequestId, requestNo },
        detail: JSON.stringify({ receipt_no: receiptNo, sha256 }),
      })),
  );
}

/** Whoever ends the last task of one waits until we are done, or we see that it has ended. */
async function lockRequests(sql: Sql, requestNos: readonly number[]): Promise<number[]> {
  const rows = await sql.all<DueRow>(
    `SELECT request_no AS "requestNo" FROM @requests WHERE request_no = ANY($1::bigint[])
     ORDER BY request_no FOR UPDATE`,
    [requestNos],
  );
  return rows.map(({ requestNo }) => requestNo);
}

/** Not where a task ended meanwhile. While one is open, its end makes an addendum due. */
async function markDone(sql: Sql, requestNos: readonly number[], now: number): Promise<void> {
  await sql.run(
    `UPDATE @requests AS r SET receipted_time = $2
     WHERE request_no = ANY($1::bigint[]) AND (
       EXISTS (SELECT 1 FROM @tasks AS t WHERE t.request_no = r.request_no AND state <> 'erased')
       OR NOT EXISTS (
         SELECT 1 FROM @tasks AS t WHERE t.request_no = r.request_no AND task_no > (
           SELECT coalesce(max(last_task_no), 0) FROM @receipts AS given
           WHERE given.request_no = r.request_no)))`,
    [requestNos, now],
  );
}
