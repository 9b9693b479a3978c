import type { NewReceipt, ReceiptStore, RefusedReceipt } from '../../../domain/receipt/receipt.ts';
import { type Database, rowsOf, type Sql } from '../../sql.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { findRequest, findRequestNo } from '../requests/read-request.ts';
import { acceptEvidence } from './accept-evidence.ts';
import { givenReceipts } from './given-receipts.ts';
import { readReceiptFacts, readReceiptRows } from './receipt-facts.ts';
import { reopenLost } from './reopen-lost.ts';

/** A refused receipt is tried again only on demand. */
const DUE = `SELECT request_no AS "requestNo" FROM @requests
  WHERE status = 'completed' AND receipted_time IS NULL AND NOT EXISTS (
  SELECT 1 FROM @refused_receipts AS refused WHERE refused.request_no = requests.request_no)`;

interface DueRow {
  readonly requestNo: number;
}

export function createReceiptStore(writer: Database, reader: Database = writer): ReceiptStore {
  const reads = reader.unprepared;
  const writes = writer.unprepared;
  return {
    // A receipt and its audit row have the same time.
    given: (request) => reads.snapshot((sql) => givenReceipts(sql, writer.rowMacs, request)),
    async signedRows(request) {
      const found = await findRequest(reads, request);
      if (found === undefined) return [];
      const { own } = (await readReceiptRows(reads, writer.rowMacs, [found]))(found);
      return own.filter(({ action }) => action === 'receipt.signed');
    },
    // Runs every second.
    anyDue: async () => (await reader.get(`${DUE} ORDER BY request_no LIMIT 1`)) !== undefined,
    async due(max) {
      const rows = await reads.all<DueRow>(`${DUE} ORDER BY request_no LIMIT :max`, { max });
      return rows.map(({ requestNo }) => requestNo);
    },
    async dueOf(request) {
      const requestNo = await findRequestNo(reads, request);
      if (requestNo === undefined) return undefined;
      // A request that is marked as receipted but has no receipt was changed by someone else.
      const row = await reads.get<DueRow>(
        `SELECT request_no AS "requestNo" FROM @requests
         WHERE request_no = :requestNo AND status = 'completed' AND (receipted_time IS NULL
           OR NOT EXISTS (SELECT 1 FROM @receipts WHERE request_no = :requestNo))`,
        { requestNo },
      );
      return row?.requestNo;
    },
    facts: (requestNos) =>
      reads.snapshot((sql) => readReceiptFacts(sql, writer.rowMacs, requestNos)),
    async add(receipts, now) {
      if (receipts.length === 0) return;
      await writes.transaction((sql) => addReceipts(sql, receipts, now));
    },
    acceptEvidence: (requestNo, reason, by) =>
      writes.transaction((sql) => acceptEvidence(sql, requestNo, reason, by)),
    reopenLost: (after, max) => reopenLost(reads, writes, after, max),
    refuse: (refused, now) => writes.transaction((sql) => refuseReceipts(sql, refused, now)),
    nothingDue: (requestNos, now) =>
      writes.transaction(async (sql) => {
        await markDone(sql, await lockRequests(sql, requestNos), now);
      }),
  };
}

async function addReceipts(sql: Sql, all: readonly NewReceipt[], now: number): Promise<void> {
  const requestNos = all.map(({ requestNo }) => requestNo);
  // A request that does not exist here was forgotten, or is in the archive and has its receipt.
  const there = new Set(await lockRequests(sql, requestNos));
  const receipts = all.filter(({ requestNo }) => there.has(requestNo));
  const added = await sql.all<DueRow>(
    `INSERT INTO @receipts (request_no, receipt_no, last_task_no, created_time, document, full_document)
     SELECT "requestNo", "receiptNo", "lastTaskNo", :now::bigint, document, "fullDocument"
     FROM json_to_recordset(:receipts::json) AS made
       ("requestNo" bigint, "receiptNo" integer, "lastTaskNo" bigint, document text,
        "fullDocument" text)
     WHERE true ON CONFLICT DO NOTHING RETURNING request_no AS "requestNo"`,
    { receipts: rowsOf(receipts), now },
  );
  await markDone(sql, [...there], now);
  await sql.run('DELETE FROM @refused_receipts WHERE request_no = ANY(:requestNos::bigint[])', {
    requestNos,
  });
  const isAdded = new Set(added.map(({ requestNo }) => requestNo));
  const entry = { time: now, actor: 'system', action: 'receipt.signed' } as const;
  await appendAudit(
    sql,
    receipts
      .filter(({ requestNo }) => isAdded.has(requestNo))
      .map(({ requestNo, controllerId, subjectRequestId, receiptNo, sha256, fullSha256 }) => {
        const digests = { sha256, full_sha256: fullSha256 };
        const detail = JSON.stringify({ receipt_no: receiptNo, ...digests });
        return { ...entry, controllerId, subjectRequestId, requestNo, detail };
      }),
  );
}

async function refuseReceipts(
  sql: Sql,
  refused: readonly RefusedReceipt[],
  now: number,
): Promise<RefusedReceipt[]> {
  const there = new Set(
    await lockRequests(
      sql,
      refused.map(({ requestNo }) => requestNo),
    ),
  );
  const added: RefusedReceipt[] = [];
  for (const one of refused) {
    const { requestNo, reason } = one;
    if (!there.has(requestNo)) continue;
    const isNew = await sql.run(
      `INSERT INTO @refused_receipts (request_no, time, reason) VALUES (:requestNo, :now, :reason)
       ON CONFLICT DO NOTHING`,
      { requestNo, now, reason },
    );
    if (isNew === 1) added.push(one);
  }
  return added;
}

/** A worker that ends the last task of a request either waits for this transaction, or its result is visible here. */
async function lockRequests(sql: Sql, requestNos: readonly number[]): Promise<number[]> {
  const rows = await sql.all<DueRow>(
    `SELECT request_no AS "requestNo" FROM @requests WHERE request_no = ANY(:requestNos::bigint[])
     ORDER BY request_no FOR UPDATE`,
    { requestNos },
  );
  return rows.map(({ requestNo }) => requestNo);
}

/** Not if a task has ended in the meantime. While a task is open, its end will make an addendum due. */
async function markDone(sql: Sql, requestNos: readonly number[], now: number): Promise<void> {
  await sql.run(
    `UPDATE @requests AS r SET receipted_time = :now
     WHERE request_no = ANY(:requestNos::bigint[]) AND (
       EXISTS (SELECT 1 FROM @tasks AS t WHERE t.request_no = r.request_no AND state <> 'erased')
       OR NOT EXISTS (
         SELECT 1 FROM @tasks AS t WHERE t.request_no = r.request_no AND task_no > (
           SELECT coalesce(max(last_task_no), 0) FROM @receipts AS given
           WHERE given.request_no = r.request_no)))`,
    { requestNos, now },
  );
}
