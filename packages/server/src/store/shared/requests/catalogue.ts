import { isSubjectRequestId } from '@unwrite/protocol';
import type { AuditRow } from '../../../domain/audit/audit-row.ts';
import type { RequestSummary } from '../../../domain/request/request.ts';
import type { RequestCatalogue } from '../../../domain/request/request-ports.ts';
import type { Database } from '../../sql.ts';
import { AUDIT_ROW } from '../audit/audit-log.ts';
import { OF_REQUESTS, requestIdsOf } from '../audit/rows-of-requests.ts';
import { findRequest } from './read-request.ts';
import { SAME_ID } from './same-id.ts';

export const SUMMARY = `
  SELECT request_no AS "requestNo", controller_id AS "controllerId", subject_request_id AS "subjectRequestId", status,
         regulation, submitted_time AS "submittedTime", received_time AS "receivedTime",
         created_by AS "createdBy", cancelled_time AS "cancelledTime",
         completed_time AS "completedTime", identity_count AS "identityCount",
         extended_until AS "extendedUntil"`;

export function createRequestCatalogue({ unprepared: database }: Database): RequestCatalogue {
  return {
    async find(subjectRequestId, controllerId) {
      if (!isSubjectRequestId(subjectRequestId)) return [];
      const found = new Map<string, RequestSummary>();
      for (const table of database.dialect.requestTables) {
        // Ids are unique per controller; without a controller, the id is looked up for each of them by key.
        const rows = await database.all<RequestSummary>(
          `${SUMMARY} FROM ${table}
           WHERE request_uuid = :subjectRequestId::uuid AND ${SAME_ID} AND controller_id IN (
             SELECT controller_id FROM @controllers
             WHERE :controllerId::text IS NULL OR controller_id = :controllerId)`,
          { subjectRequestId, controllerId: controllerId ?? null },
        );
        for (const row of rows) found.set(row.controllerId, row);
      }
      const ids = [...found.keys()].sort();
      return ids.flatMap((id) => found.get(id) ?? []);
    },
    async findWithin({ from, to }, limit, controllerId) {
      const found = new Map<string, RequestSummary>();
      for (const table of database.dialect.requestTables) {
        const rows = await database.all<RequestSummary>(
          `${SUMMARY} FROM ${table}
           WHERE request_uuid >= :from::uuid AND request_uuid <= :to::uuid AND ${SAME_ID}
             AND controller_id IN (
               SELECT controller_id FROM @controllers
               WHERE :controllerId::text IS NULL OR controller_id = :controllerId)
           LIMIT :limit`,
          { from, to, limit, controllerId: controllerId ?? null },
        );
        for (const row of rows) found.set(`${row.subjectRequestId} ${row.controllerId}`, row);
      }
      const names = [...found.keys()].sort().slice(0, limit);
      return names.flatMap((name) => found.get(name) ?? []);
    },
    async auditOf(controllerId, subjectRequestId) {
      const request = await findRequest(database, { controllerId, subjectRequestId });
      if (request === undefined) return [];
      const { requestNo, receivedTime } = request;
      const rows = database.dialect.auditTables.map(
        (table) => `SELECT ${AUDIT_ROW} FROM ${table}
          WHERE ${OF_REQUESTS} AND controller_id = :controllerId
            AND (request_no = :requestNo OR time >= :receivedTime)`,
      );
      return database.all<AuditRow>(`${rows.join(' UNION ALL ')} ORDER BY "auditNo"`, {
        requestIds: requestIdsOf([request]),
        controllerId,
        requestNo,
        receivedTime,
      });
    },
  };
}
