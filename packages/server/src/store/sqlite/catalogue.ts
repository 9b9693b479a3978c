import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { AuditRow } from '../../domain/audit-row.ts';
import type { RequestCatalogue } from '../../domain/ports.ts';
import type { RequestSummary } from '../../domain/request.ts';

const SUMMARY = `
  SELECT controller_id AS controllerId, subject_request_id AS subjectRequestId, status, regulation,
         submitted_time AS submittedTime, received_time AS receivedTime,
         created_by AS createdBy,
         cancelled_time AS cancelledTime, completed_time AS completedTime, identity_count AS identityCount
  FROM requests`;

export function createRequestCatalogue(database: DatabaseSync): RequestCatalogue {
  const auditOfRequest = database.prepare(`
    SELECT audit_no AS auditNo, time, actor, action, controller_id AS controllerId,
           subject_request_id AS subjectRequestId, detail
    FROM audit_rows
    WHERE request_no =
      (SELECT request_no FROM requests WHERE controller_id = ? AND subject_request_id = ?)
      AND action <> 'request.created'
    ORDER BY audit_no
  `);

  return {
    async list(filter) {
      const conditions: string[] = [];
      const values: SQLInputValue[] = [];
      const where = (condition: string, value: SQLInputValue | undefined) => {
        if (value === undefined) return;
        conditions.push(condition);
        values.push(value);
      };
      where('controller_id = ?', filter.controllerId);
      where('status = ?', filter.status);
      where('received_time < ?', filter.receivedBefore);
      where('received_time >= ?', filter.receivedAfter);
      const clause = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
      return database
        .prepare(`${SUMMARY} ${clause} ORDER BY request_no DESC LIMIT ?`)
        .all(...values, filter.limit) as unknown as RequestSummary[];
    },
    async find(subjectRequestId, controllerId) {
      // Ids are unique per controller, so without one every controller is asked, each by its key.
      const rows = database
        .prepare(
          `${SUMMARY} WHERE subject_request_id = ?1
             AND controller_id IN (SELECT controller_id FROM controllers WHERE ?2 IS NULL OR controller_id = ?2)
           ORDER BY controller_id`,
        )
        .all(subjectRequestId, controllerId ?? null);
      return rows as unknown as RequestSummary[];
    },
    auditOf: async (controllerId, subjectRequestId) =>
      auditOfRequest.all(controllerId, subjectRequestId) as unknown as AuditRow[],
  };
}
