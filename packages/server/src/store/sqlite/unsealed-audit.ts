import type { DatabaseSync } from 'node:sqlite';
import type { AuditHeadStore, UnsealedAudit } from '../../domain/proof-ports.ts';

/** Two keyed reads: asked every second. */
export function prepareUnsealedAudit(database: DatabaseSync): AuditHeadStore['unsealed'] {
  const select = database.prepare(`
    SELECT time AS since,
           min((SELECT max(audit_no) FROM audit_rows) - audit_no + 1, 1000000) AS rows
    FROM audit_rows
    WHERE audit_no > coalesce(
      (SELECT last_audit_no FROM audit_heads ORDER BY head_no DESC LIMIT 1), 0)
    ORDER BY audit_no LIMIT 1
  `);
  return async () => select.get() as unknown as UnsealedAudit | undefined;
}
