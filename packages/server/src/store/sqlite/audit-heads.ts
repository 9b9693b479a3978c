// Which rows wait for a head. Not shared: there is one writer at a time, so rows already have numbers in the
// order of their commits.
import type { DatabaseSync } from 'node:sqlite';
import type { AuditHeadStore, UnsealedAudit } from '../../domain/audit/proof-ports.ts';
import { createHeads, MAX_UNSEALED_COUNTED } from '../shared/audit/audit-heads.ts';
import { databaseOn } from './database.ts';

export function createAuditHeadStore(connection: DatabaseSync): AuditHeadStore {
  const database = databaseOn(connection);
  return {
    ...createHeads(database),
    // Two reads by key, because this runs every second.
    unsealed: () =>
      database.get<UnsealedAudit>(
        `SELECT time AS since,
                min((SELECT max(audit_no) FROM @audit_rows) - audit_no + 1, ${MAX_UNSEALED_COUNTED}) AS rows
         FROM @audit_rows
         WHERE audit_no > coalesce(
           (SELECT last_audit_no FROM @audit_heads ORDER BY head_no DESC LIMIT 1), 0)
         ORDER BY audit_no LIMIT 1`,
      ),
    numberRows: async () => undefined,
  };
}
