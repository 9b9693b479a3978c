import type { RequestKey } from '../../domain/request.ts';
import { auditOfRequest } from '../request-rules.ts';
import type { AuditEntry } from '../shared/audit/append-audit.ts';
import type { Sql } from './database.ts';

/**
 * Inside a transaction that holds these requests and ended the last of their tasks. Their status stays
 * `completed`. Answers what is to be written down of it.
 */
export async function endEraseAgain(
  sql: Sql,
  requestNos: readonly number[],
  now: number,
): Promise<AuditEntry[]> {
  if (requestNos.length === 0) return [];
  const rows = await sql.all<RequestKey & { requestNo: number }>(
    `UPDATE @requests SET again_asked_time = NULL
     WHERE request_no = ANY($1::bigint[]) AND again_asked_time IS NOT NULL
     RETURNING request_no AS "requestNo", controller_id AS "controllerId",
               subject_request_id AS "subjectRequestId"`,
    [requestNos],
  );
  const by = { actor: 'system', now };
  return rows.map((row) => ({
    ...auditOfRequest(row, 'request.erased_again', by),
    requestNo: row.requestNo,
  }));
}
