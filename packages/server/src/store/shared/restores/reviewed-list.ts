// Which list an operator reviewed after a restore, according to the audit log: someone else may have taken requests off
// the list since, or changed what confirming does about them, and they would be erased.
import { hash } from 'node:crypto';
import { readDetail } from '../../../domain/audit/read-detail.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type { Restore } from '../../../domain/store/restore.ts';
import type { ReviewedRequest } from '../../../domain/store/restore-ports.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import type { Sql } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';
import { BY_OPERATORS } from '../audit/audit-log.ts';
import { isOurs, type RowWithMac, selectClaimed } from '../audit/claimed-rows.ts';

const DIGITS = 32;

type OpenRestore = Pick<Restore, 'restoreNo' | 'detectedTime'>;

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
  const detail = { added: list.added, requests: list.requests.filter(isOnList).length };
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
  const where = `${BY_OPERATORS} AND action = 'store.restore_reviewed'`;
  const rows = await sql.all<RowWithMac>(selectClaimed(sql, where));
  const reviews = rows
    .filter(isOurs(macs))
    .map((row) => ({ time: row.time, ...readDetail(row) }) as Review & Record<string, unknown>)
    .filter((it) => it.restore_no === restoreNo && it.detected === detectedTime);
  return reviews.sort((a, b) => a.requests - b.requests || a.time - b.time).at(-1);
}

/** What someone else wrote changes nothing, and so does its coming and going. */
const isOnList = (it: ReviewedRequest) => it.isOurs;

function digestOf(list: readonly ReviewedRequest[]): string {
  const lines = list
    .filter(isOnList)
    .map((it) => [it.what, it.controllerId, it.subjectRequestId, it.isToCancel]);
  return hash('sha256', JSON.stringify(lines), 'hex').slice(0, DIGITS);
}
