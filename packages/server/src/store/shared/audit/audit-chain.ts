// The audit log as a chain. Which rows wait for a head, and who numbers them, differs: see audit-heads.ts of
// each store.
import type {
  AuditChain,
  AuditHead,
  AuditHeadStore,
  ChainedRow,
  HeadEnd,
} from '../../../domain/audit/proof-ports.ts';
import type { Sql } from '../../sql.ts';
import { AUDIT_ROW } from './audit-log.ts';

const ROW = `SELECT ${AUDIT_ROW}, request_no AS "requestNo" FROM @audit_rows`;

/** On whatever `sql` is: a snapshot sees one moment of it. */
export function createAuditChain(sql: Sql): AuditChain {
  return {
    heads: (after, most) =>
      sql.all<AuditHead>(
        `SELECT head_no AS "headNo", first_audit_no AS "firstAuditNo",
                last_audit_no AS "lastAuditNo", time, previous_hash AS "previousHash",
                rows_hash AS "rowsHash", hash, key_id AS "keyId", signature,
                row_digests AS "rowDigests"
         FROM @audit_heads WHERE head_no > :after ORDER BY head_no LIMIT :most`,
        { after, most },
      ),
    rows: (from, to) =>
      sql.all<ChainedRow>(`${ROW} WHERE audit_no BETWEEN :from AND :to ORDER BY audit_no`, {
        from,
        to,
      }),
    rowsAfter: (auditNo, most) =>
      sql.all<ChainedRow>(`${ROW} WHERE audit_no > :auditNo ORDER BY audit_no LIMIT :most`, {
        auditNo,
        most,
      }),
  };
}

export function createHeads(
  sql: Sql,
): Pick<AuditHeadStore, keyof AuditChain | 'lastHead' | 'addHead'> {
  return {
    ...createAuditChain(sql),
    lastHead: () =>
      sql.get<HeadEnd>(
        `SELECT head_no AS "headNo", last_audit_no AS "lastAuditNo", hash
         FROM @audit_heads ORDER BY head_no DESC LIMIT 1`,
      ),
    async addHead(head) {
      const added = await sql.run(
        `INSERT INTO @audit_heads
           (head_no, first_audit_no, last_audit_no, time, previous_hash, rows_hash, hash, key_id,
            signature, row_digests)
         VALUES (:headNo, :firstAuditNo, :lastAuditNo, :time, :previousHash, :rowsHash, :hash,
                 :keyId, :signature, :rowDigests) ON CONFLICT DO NOTHING`,
        { ...head },
      );
      return added === 1;
    },
  };
}
