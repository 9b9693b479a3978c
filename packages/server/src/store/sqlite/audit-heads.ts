import type { DatabaseSync } from 'node:sqlite';
import type { AuditHead, AuditHeadStore, ChainedRow, HeadEnd } from '../../domain/proof-ports.ts';
import { prepareUnsealedAudit } from './unsealed-audit.ts';

const ROW = `SELECT audit_no AS auditNo, time, actor, action, controller_id AS controllerId,
  subject_request_id AS subjectRequestId, detail, request_no AS requestNo FROM audit_rows`;

export function createAuditHeadStore(database: DatabaseSync): AuditHeadStore {
  const last = database.prepare(`
    SELECT head_no AS headNo, last_audit_no AS lastAuditNo, hash
    FROM audit_heads ORDER BY head_no DESC LIMIT 1
  `);
  const heads = database.prepare(`
    SELECT head_no AS headNo, first_audit_no AS firstAuditNo, last_audit_no AS lastAuditNo, time,
           previous_hash AS previousHash, rows_hash AS rowsHash, hash, key_id AS keyId, signature,
           row_digests AS rowDigests
    FROM audit_heads WHERE head_no > ? ORDER BY head_no LIMIT ?
  `);
  const rows = database.prepare(`${ROW} WHERE audit_no BETWEEN ? AND ? ORDER BY audit_no`);
  const rowsAfter = database.prepare(`${ROW} WHERE audit_no > ? ORDER BY audit_no LIMIT ?`);
  const insert = database.prepare(`
    INSERT INTO audit_heads
      (head_no, first_audit_no, last_audit_no, time, previous_hash, rows_hash, hash, key_id, signature,
       row_digests)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
  `);

  return {
    unsealed: prepareUnsealedAudit(database),
    // There is one writer at a time: rows have their numbers in the order of their commits.
    numberRows: async () => undefined,
    lastHead: async () => last.get() as unknown as HeadEnd | undefined,
    heads: async (after, most) => heads.all(after, most) as unknown as AuditHead[],
    rows: async (from, to) => rows.all(from, to) as unknown as ChainedRow[],
    rowsAfter: async (auditNo, most) => rowsAfter.all(auditNo, most) as unknown as ChainedRow[],
    async addHead(head) {
      const { changes } = insert.run(
        head.headNo,
        head.firstAuditNo,
        head.lastAuditNo,
        head.time,
        head.previousHash,
        head.rowsHash,
        head.hash,
        head.keyId,
        head.signature,
        head.rowDigests,
      );
      return Number(changes) === 1;
    },
  };
}
