// Which rows wait for a head. Not shared: there is one writer at a time, so rows already have numbers in the
// order of their commits.
import type { DatabaseSync } from 'node:sqlite';
import type { AuditHeadStore, UnsealedAudit } from '../../domain/audit/proof-ports.ts';
import { createHeads, MAX_UNSEALED_COUNTED, STRANGE_NEWEST } from '../shared/audit/audit-heads.ts';
import { databaseOn } from './database.ts';

// Reads by key, because these run every second.
const AFTER_LAST = `
  SELECT time AS since,
         min((SELECT max(audit_no) FROM @audit_rows) - audit_no + 1, ${MAX_UNSEALED_COUNTED}) AS rows
  FROM @audit_rows
  WHERE audit_no > coalesce(
    (SELECT last_audit_no FROM @audit_heads ORDER BY head_no DESC LIMIT 1), 0)
  ORDER BY audit_no LIMIT 1`;
/**
 * The newest head keeps its rows. If they are gone, new rows have their numbers; or someone else wrote the head, and it
 * claims rows that are still to come.
 */
const WITHOUT_LAST = `
  SELECT time AS since, 0 AS rows
  FROM (SELECT last_audit_no, time FROM @audit_heads ORDER BY head_no DESC LIMIT 1) AS head
  WHERE last_audit_no > coalesce((SELECT max(audit_no) FROM @audit_rows), 0)`;

export function createAuditHeadStore(connection: DatabaseSync): AuditHeadStore {
  const database = databaseOn(connection);
  return {
    ...createHeads(database),
    unsealed: async () =>
      (await database.get<UnsealedAudit>(AFTER_LAST)) ??
      (await database.get<UnsealedAudit>(WITHOUT_LAST)) ??
      database.get<UnsealedAudit>(STRANGE_NEWEST),
    numberRows: async () => undefined,
  };
}
