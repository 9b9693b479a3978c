// Cuts old rows of the audit log, one head at a time. The head stays and proves that there were rows, so the
// chain stays valid; a signed record says up to which head Unwrite has cut.
import type { AuditCut, LeafTiles } from '../../../domain/audit/proof-ports.ts';
import { type CutRecord, cutClaim, type RowMacs } from '../../../domain/keys/row-macs.ts';
import type { Sql } from '../../sql.ts';

/** The newest head keeps its rows, however old they are: numbering continues from the last row that exists. */
export async function anyAuditToCut(sql: Sql, sealedUntil: number): Promise<boolean> {
  const head = await sql.get<{ time: number }>(
    `SELECT time FROM @audit_heads
     WHERE head_no > coalesce((SELECT max(head_no) FROM @audit_cuts
         WHERE head_no <= (SELECT max(head_no) FROM @audit_heads)), 0)
       AND head_no < (SELECT max(head_no) FROM @audit_heads)
     ORDER BY head_no LIMIT 1`,
  );
  return head !== undefined && head.time <= sealedUntil;
}

/**
 * Runs in the caller's transaction: rows, salts and the record must be written together, or the log would
 * appear tampered with.
 */
export async function cutRows(sql: Sql, cut: AuditCut, tiles: LeafTiles): Promise<number> {
  const { headNo, lastAuditNo } = cut;
  const isNewer = await sql.run(
    `INSERT INTO @audit_cuts
       (head_no, head_hash, last_audit_no, head_time, retention_ms, time, key_id, signature, mac)
     VALUES (:headNo, :headHash, :lastAuditNo, :headTime, :retentionMs, :time, :keyId, :signature,
             :mac)
     ON CONFLICT DO NOTHING`,
    { ...cut, mac: sql.rowMacs.compute(cutClaim(cut)) },
  );
  // Another node was first.
  if (isNewer === 0) return 0;
  await sql.run('DELETE FROM @audit_cuts WHERE head_no < :headNo', { headNo });
  const rows = await sql.run('DELETE FROM @audit_rows WHERE audit_no <= :lastAuditNo', {
    lastAuditNo,
  });
  await sql.run(
    `UPDATE @audit_heads SET salt_seed = NULL
     WHERE head_no <= :headNo AND salt_seed IS NOT NULL`,
    { headNo },
  );
  await sql.run(
    `DELETE FROM @audit_tiles
     WHERE tree_first < :treeFirst OR tree_first = :treeFirst AND level = 0 AND tile_no < :before`,
    { ...tiles },
  );
  return rows;
}

type StoredCut = CutRecord & { readonly mac: Uint8Array | null };

/** Normally there is one record, or a few if someone else writes more. */
const MAX_RECORDS = 10;

/** Whether, according to a record of ours, rows of that time may have been cut because of their age. */
export async function isCutSince(sql: Sql, macs: RowMacs, time: number): Promise<boolean> {
  const cuts = await sql.all<StoredCut>(
    `SELECT head_no AS "headNo", head_time AS "headTime", signature, mac
     FROM @audit_cuts WHERE head_no <= ${Number.MAX_SAFE_INTEGER}
     ORDER BY head_no DESC LIMIT ${MAX_RECORDS}`,
  );
  return cuts.some(
    ({ mac, ...cut }) => cut.headTime >= time && macs.verifyOrReport(cutClaim(cut), mac),
  );
}
