import { isSubjectRequestId } from '@unwrite/protocol';
import type { AuditRow } from '../../domain/audit-row.ts';
import type { RequestCatalogue } from '../../domain/ports.ts';
import type { RequestSummary } from '../../domain/request.ts';
import type { Database } from './database.ts';
import { AUDIT_ROW, NEW_AUDIT_ROWS } from './new-audit.ts';
import { findRequestNo } from './request-no.ts';
import { createWhere } from './where.ts';

const SUMMARY = `
  SELECT controller_id AS "controllerId", subject_request_id AS "subjectRequestId", status,
         regulation, submitted_time AS "submittedTime", received_time AS "receivedTime",
         created_by AS "createdBy", cancelled_time AS "cancelledTime",
         completed_time AS "completedTime", identity_count AS "identityCount"`;

/** What came after the creation. */
const OF_REQUEST = `request_no = $1 AND action <> 'request.created'`;

export function createRequestCatalogue({ unprepared: database }: Database): RequestCatalogue {
  return {
    list(filter) {
      const where = createWhere();
      where.and('controller_id = ?', filter.controllerId);
      where.and('status = ?', filter.status);
      where.and('received_time < ?', filter.receivedBefore);
      where.and('received_time >= ?', filter.receivedAfter);
      // None of those that are open is in the archive, and nobody should look for them there.
      const isOpen = filter.status === 'pending' || filter.status === 'in_progress';
      return database.all<RequestSummary>(
        `${SUMMARY} FROM ${isOpen ? '@requests' : '@all_requests'} WHERE ${where.clause()}
         ORDER BY request_no DESC LIMIT $${where.values.length + 1}`,
        [...where.values, filter.limit],
      );
    },
    async find(subjectRequestId, controllerId) {
      if (!isSubjectRequestId(subjectRequestId)) return [];
      const found = new Map<string, RequestSummary>();
      // Two statements: one may have been moved to the archive since the first.
      for (const table of ['@requests', '@archived_requests']) {
        const rows = await database.all<RequestSummary>(
          `${SUMMARY} FROM ${table}
           WHERE request_uuid = $1::uuid AND ($2::text IS NULL OR controller_id = $2)`,
          [subjectRequestId, controllerId ?? null],
        );
        for (const row of rows) found.set(row.controllerId, row);
      }
      const ids = [...found.keys()].sort();
      return ids.flatMap((id) => found.get(id) ?? []);
    },
    async auditOf(controllerId, subjectRequestId) {
      const requestNo = await findRequestNo(database, { controllerId, subjectRequestId });
      if (requestNo === undefined) return [];
      return database.all<AuditRow>(
        `SELECT ${AUDIT_ROW} FROM @audit_rows WHERE ${OF_REQUEST}
         UNION ALL
         SELECT ${AUDIT_ROW} FROM ${NEW_AUDIT_ROWS} AS newer WHERE ${OF_REQUEST}
         ORDER BY "auditNo"`,
        [requestNo],
      );
    },
  };
}
