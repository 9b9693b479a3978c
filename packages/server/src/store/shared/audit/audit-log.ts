import type { AuditLog } from '../../../domain/audit/audit-ports.ts';
import type { AuditRow } from '../../../domain/audit/audit-row.ts';
import { conditionsOf, type Database } from '../../sql.ts';
import { appendAudit, auditOf } from './append-audit.ts';

export const AUDIT_ROW = `audit_no AS "auditNo", time, actor, action,
  controller_id AS "controllerId", subject_request_id AS "subjectRequestId", detail`;

/** What operators did, in the form of the index audit_by_operators. */
export const BY_OPERATORS = "substr(actor, 1, 9) = 'operator:'";

const CONDITIONS = {
  controllerId: 'controller_id = :controllerId',
  subjectRequestId: 'lower(subject_request_id) = lower(:subjectRequestId)',
  actor: 'actor = :actor',
  action: 'action = :action',
  since: 'time >= :since',
  until: 'time < :until',
};

export function createAuditLog(
  { unprepared: database }: Database,
  writer: Database = database,
): AuditLog {
  return {
    list(filter) {
      // Newest first by number, not by time, because a clock may be set back.
      const newest = (table: string) => `SELECT * FROM (
        SELECT ${AUDIT_ROW} FROM ${table} WHERE ${conditionsOf(filter, CONDITIONS)}
        ORDER BY audit_no DESC LIMIT :limit) AS part`;
      return database.all<AuditRow>(
        `SELECT * FROM (${database.dialect.auditTables.map(newest).join(' UNION ALL ')}) AS found
         ORDER BY "auditNo" DESC LIMIT :limit`,
        { ...filter },
      );
    },
    note: (action, by, detail, controllerId) =>
      writer.transaction((sql) =>
        appendAudit(sql, [auditOf(action, by, detail, controllerId ?? null)]),
      ),
  };
}
