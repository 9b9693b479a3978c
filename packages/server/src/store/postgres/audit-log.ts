import type { AuditRow } from '../../domain/audit-row.ts';
import type { AuditLog } from '../../domain/ports.ts';
import type { Database } from './database.ts';
import { AUDIT_ROW, NEW_AUDIT_ROWS } from './new-audit.ts';
import { createWhere } from './where.ts';

export function createAuditLog({ unprepared: database }: Database): AuditLog {
  return {
    list(filter) {
      const where = createWhere();
      where.and('controller_id = ?', filter.controllerId);
      where.and('lower(subject_request_id) = lower(?)', filter.subjectRequestId);
      where.and('actor = ?', filter.actor);
      where.and('action = ?', filter.action);
      where.and('time >= ?', filter.since);
      where.and('time < ?', filter.until);
      // From the newest on; not by time, which a clock may set back.
      const newest = (rows: string) => `
        SELECT ${AUDIT_ROW} FROM ${rows} WHERE ${where.clause()}
        ORDER BY audit_no DESC LIMIT $${where.values.length + 1}`;
      return database.all<AuditRow>(
        `SELECT * FROM (
           (${newest(`${NEW_AUDIT_ROWS} AS newer`)}) UNION ALL (${newest('@audit_rows')})
         ) AS rows ORDER BY "auditNo" DESC LIMIT $${where.values.length + 1}`,
        [...where.values, filter.limit],
      );
    },
  };
}
