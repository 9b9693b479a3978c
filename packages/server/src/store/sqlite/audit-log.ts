import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { AuditRow } from '../../domain/audit-row.ts';
import type { AuditLog } from '../../domain/ports.ts';

export function createAuditLog(database: DatabaseSync): AuditLog {
  return {
    async list(filter) {
      const conditions: string[] = ['1'];
      const values: SQLInputValue[] = [];
      const where = (condition: string, value: SQLInputValue | undefined) => {
        if (value === undefined) return;
        conditions.push(condition);
        values.push(value);
      };
      where('controller_id = ?', filter.controllerId);
      where('subject_request_id = ? COLLATE NOCASE', filter.subjectRequestId);
      where('actor = ?', filter.actor);
      where('action = ?', filter.action);
      where('time >= ?', filter.since);
      where('time < ?', filter.until);
      // From the newest on; not by time, which a clock may set back.
      const rows = database
        .prepare(`
          SELECT audit_no AS auditNo, time, actor, action, controller_id AS controllerId,
                 subject_request_id AS subjectRequestId, detail
          FROM audit_rows WHERE ${conditions.join(' AND ')} ORDER BY audit_no DESC LIMIT ?
        `)
        .all(...values, filter.limit);
      return rows as unknown as AuditRow[];
    },
  };
}
