// The audit log as JSON lines: rows, each time followed by the head that covers them.
import type {
  AuditChain,
  AuditHead,
  ChainedRow,
  ProofSigner,
} from '../domain/audit/proof-ports.ts';
import { hex } from './chain.ts';

const PAGE = 100;
export const EXPORT_TYPE = 'unwrite audit export';

type Key = Pick<ProofSigner, 'keyId' | 'publicKey'>;

/** Whole heads only: those that were made since then, then the rows that none covers yet. */
export async function* exportAudit(chain: AuditChain, key: Key, since: number, now: number) {
  yield line({
    type: EXPORT_TYPE,
    version: 1,
    exported_time: new Date(now).toISOString(),
    key_id: key.keyId,
    public_key: key.publicKey,
  });
  let last = { headNo: 0, lastAuditNo: 0 };
  for (;;) {
    const page = await chain.heads(last.headNo, PAGE);
    for (const head of page) {
      last = head;
      if (head.time < since) continue;
      if (head.rowDigests !== null) {
        for (const row of await chain.rows(head.firstAuditNo, head.lastAuditNo))
          yield line(rowShape(row));
      }
      yield line(headShape(head));
    }
    if (page.length < PAGE) break;
  }
  let after = last.lastAuditNo;
  for (;;) {
    const rows = await chain.rowsAfter(after, PAGE);
    for (const row of rows) yield line(rowShape(row));
    after = rows.at(-1)?.auditNo ?? after;
    if (rows.length < PAGE) return;
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function rowShape(row: ChainedRow) {
  return {
    type: 'row',
    audit_no: row.auditNo,
    time: row.time,
    actor: row.actor,
    action: row.action,
    controller_id: row.controllerId,
    subject_request_id: row.subjectRequestId,
    detail: row.detail,
    request_no: row.requestNo,
  };
}

function headShape(head: AuditHead) {
  const { rowDigests } = head;
  return {
    type: 'head',
    head_no: head.headNo,
    first_audit_no: head.firstAuditNo,
    last_audit_no: head.lastAuditNo,
    time: head.time,
    previous_hash: hex(head.previousHash),
    rows_hash: hex(head.rowsHash),
    hash: hex(head.hash),
    key_id: head.keyId,
    signature: hex(head.signature),
    row_digests: rowDigests && Buffer.from(rowDigests).toString('base64'),
  };
}
