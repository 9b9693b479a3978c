// A restore as the version before declares it: without MACs, and without the time in its audit row.
import type { Actor } from '../../../src/domain/task/operator-ports.ts';
import { appendAudit, auditOf } from '../../../src/store/shared/audit/append-audit.ts';
import type { Database } from '../../../src/store/sql.ts';

export async function declareAsBefore(database: Database, by: Actor): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.run(
      `INSERT INTO @restores (restore_no, detected_time, detected_by, reason, last_head_no)
       VALUES (1, :now, :actor, 'a test', 0)`,
      { now: by.now, actor: by.actor },
    );
    await appendAudit(sql, [auditOf('store.went_back', by, { reason: 'a test' })]);
  });
}
