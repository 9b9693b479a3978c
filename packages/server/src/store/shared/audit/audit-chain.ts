// Reads the audit log for proofs. Which rows wait for a head, and how they are numbered, differs: see
// audit-heads.ts of each store.
import type {
  AuditCut,
  AuditHead,
  AuditTree,
  ChainedRow,
  HeadEnd,
} from '../../../domain/audit/proof-ports.ts';
import type { Sql } from '../../sql.ts';
import { AUDIT_ROW } from './audit-log.ts';

// Text is cheaper to read than bytes, and all rows are read.
export const CHAINED_ROW = `SELECT ${AUDIT_ROW}, request_no AS "requestNo", encode(mac, 'hex') AS mac
  FROM @audit_rows`;

const HEAD_END = `head_no AS "headNo", first_audit_no AS "firstAuditNo",
  last_audit_no AS "lastAuditNo", time, previous_hash AS "previousHash", rows_hash AS "rowsHash",
  hash, key_id AS "keyId", signature, tree_first AS "treeFirst"`;
const END = `SELECT ${HEAD_END} FROM @audit_heads`;
const HEAD = `SELECT ${HEAD_END}, salt_seed AS "saltSeed" FROM @audit_heads`;

/** Works on any `sql`; with a snapshot, all reads see the same state. */
export function createAuditChain(sql: Sql): AuditTree {
  return {
    heads: (after, max) =>
      sql.all<AuditHead>(`${HEAD} WHERE head_no > :after ORDER BY head_no LIMIT :max`, {
        after,
        max,
      }),
    headsBefore: (headNo, max) =>
      sql.all<HeadEnd>(`${END} WHERE head_no < :headNo ORDER BY head_no DESC LIMIT :max`, {
        headNo,
        max,
      }),
    headOfRow: (auditNo, newestNo) =>
      sql.get<AuditHead>(
        `${HEAD} WHERE last_audit_no >= :auditNo
           AND head_no BETWEEN 1 AND :newestNo
         ORDER BY last_audit_no LIMIT 1`,
        { auditNo, newestNo },
      ),
    newestHead: () => sql.get<HeadEnd>(`${END} ORDER BY head_no DESC LIMIT 1`),
    head: (headNo) => sql.get<HeadEnd>(`${END} WHERE head_no = :headNo`, { headNo }),
    async countRows(from, to) {
      const found = await sql.get<{ count: number }>(
        'SELECT count(*) AS count FROM @audit_rows WHERE audit_no BETWEEN :from AND :to',
        { from, to },
      );
      return Number(found?.count ?? 0);
    },
    rows: (from, to) =>
      sql.all<ChainedRow>(`${CHAINED_ROW} WHERE audit_no BETWEEN :from AND :to ORDER BY audit_no`, {
        from,
        to,
      }),
    rowsAfter: (auditNo, max) =>
      sql.all<ChainedRow>(`${CHAINED_ROW} WHERE audit_no > :auditNo ORDER BY audit_no LIMIT :max`, {
        auditNo,
        max,
      }),
    async tile(treeFirst, level, tileNo) {
      const row = await sql.get<{ hashes: Uint8Array }>(
        `SELECT hashes FROM @audit_tiles
         WHERE tree_first = :treeFirst AND level = :level AND tile_no = :tileNo`,
        { treeFirst, level, tileNo },
      );
      return row?.hashes;
    },
    cut: () =>
      sql.get<AuditCut>(
        `SELECT head_no AS "headNo", head_hash AS "headHash", last_audit_no AS "lastAuditNo",
                head_time AS "headTime", retention_ms AS "retentionMs", time, key_id AS "keyId",
                signature
         FROM @audit_cuts ORDER BY head_no DESC LIMIT 1`,
      ),
  };
}
