// Which rows wait for a head. Not shared: there is one writer at a time, so rows already have numbers in the
// order of their commits.
import type { DatabaseSync } from 'node:sqlite';
import type { AuditHeadStore, UnsealedAudit } from '../../domain/audit/proof-ports.ts';
import { createHeads, MAX_UNSEALED_COUNTED } from '../shared/audit/audit-heads.ts';
import { databaseOn } from './database.ts';

// Reads by key, because these run every second.
const AFTER_LAST = `
  SELECT time AS since,
         min((SELECT max(audit_no) FROM @audit_rows) - audit_no + 1, ${MAX_UNSEALED_COUNTED}) AS rows
  FROM @audit_rows
  WHERE audit_no > coalesce(
    (SELECT last_audit_no FROM @audit_heads ORDER BY head_no DESC LIMIT 1), 0)
  ORDER BY audit_no LIMIT 1`;
/** Someone deleted the newest rows, and a row that was written since has one of their numbers. */
const WITH_REUSED_NUMBER = `
  SELECT newest.time AS since, 1 AS rows
  FROM @audit_rows AS newest,
       (SELECT last_audit_no, time FROM @audit_heads ORDER BY head_no DESC LIMIT 1) AS head
  WHERE newest.audit_no = (SELECT max(audit_no) FROM @audit_rows)
    AND newest.audit_no < head.last_audit_no AND newest.time > head.time`;

export function createAuditHeadStore(connection: DatabaseSync): AuditHeadStore {
  const database = databaseOn(connection);
  return {
    ...createHeads(database),
    unsealed: async () =>
      (await database.get<UnsealedAudit>(AFTER_LAST)) ??
      database.get<UnsealedAudit>(WITH_REUSED_NUMBER),
    numberRows: async () => undefined,
  };
}
