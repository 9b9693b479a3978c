// Which list an operator reviewed after a restore, according to the audit log: someone else may have taken requests off
// the list since, or changed what confirming does about them, and they would be erased.
import { hash } from 'node:crypto';
import { auditClaim, type ClaimedAuditRow } from '../../../domain/audit/audit-claim.ts';
import { readDetail } from '../../../domain/audit/read-detail.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type { Restore } from '../../../domain/store/restore.ts';
import type { ReviewedRequest } from '../../../domain/store/restore-ports.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import type { Sql } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';

const DIGITS = 32;

type OpenRestore = Pick<Restore, 'restoreNo' | 'detectedTime'>;

interface ReviewRow extends ClaimedAuditRow {
  readonly mac: Uint8Array | null;
}

interface Review {
  readonly time: number;
  readonly requests: number;
  readonly list: unknown;
}

export async function isReviewed(
  sql: Sql,
  macs: RowMacs,
  restore: OpenRestore,
  list: readonly ReviewedRequest[],
): Promise<boolean> {
  return (await lastReview(sql, macs, restore))?.list === digestOf(list);
}

/** Recorded once for each list. */
export async function recordReviewed(
  sql: Sql,
  macs: RowMacs,
  restore: OpenRestore,
  list: { readonly added: number; readonly requests: readonly ReviewedRequest[] },
  by: Actor,
): Promise<void> {
  const digest = digestOf(list.requests);
  const last = await lastReview(sql, macs, restore);
  if (last?.list === digest) return;
  const { restoreNo: restore_no, detectedTime: detected } = restore;
  const detail = { added: list.added, requests: list.requests.length };
  // After the last one, regardless of the clock.
  const logged = { ...by, now: Math.max(by.now, (last?.time ?? 0) + 1) };
  await appendAudit(sql, [
    auditOf('store.restore_reviewed', logged, { ...detail, restore_no, detected, list: digest }),
  ]);
}

/** The review of the longest list, because lists only grow; the latest one if several are equally long. */
async function lastReview(
  sql: Sql,
  macs: RowMacs,
  { restoreNo, detectedTime }: OpenRestore,
): Promise<Review | undefined> {
  // In the form of the index audit_by_operators.
  const tables = sql.dialect.auditTables.map(
    (table) => `SELECT time, actor, action, controller_id AS "controllerId",
        subject_request_id AS "subjectRequestId", detail, request_no AS "requestNo", mac
      FROM ${table}
      WHERE substr(actor, 1, 9) = 'operator:' AND action = 'store.restore_reviewed'`,
  );
  const rows = await sql.all<ReviewRow>(tables.join(' UNION ALL '));
  const reviews = rows
    .filter(({ mac, ...row }) => macs.verify(auditClaim(row), mac))
    .map((row) => ({ time: row.time, ...readDetail(row) }) as Review & Record<string, unknown>)
    .filter((it) => it.restore_no === restoreNo && it.detected === detectedTime);
  return reviews.sort((a, b) => a.requests - b.requests || a.time - b.time).at(-1);
}

function digestOf(list: readonly ReviewedRequest[]): string {
  const lines = list.map((it) => [it.what, it.controllerId, it.subjectRequestId, it.isToCancel]);
  return hash('sha256', JSON.stringify(lines), 'hex').slice(0, DIGITS);
}
