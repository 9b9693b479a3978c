// What the sealer writes: heads with the tiles of their tree.
import { auditClaim } from '../../../domain/audit/audit-claim.ts';
import type { AuditHeadStore } from '../../../domain/audit/proof-ports.ts';
import { type Database, rowsOf } from '../../sql.ts';
import { acceptDamage } from './accept-damage.ts';
import { createAuditChain } from './audit-chain.ts';
import { cutRows } from './cut-audit.ts';

/** The metric of rows that wait for a head is capped here. */
export const MAX_UNSEALED_COUNTED = 1_000_000;

/** Each head of ours ends later than the one before it: someone else wrote the newest one. */
export const STRANGE_NEWEST = `
  SELECT time AS since, 0 AS rows
  FROM (SELECT head_no, last_audit_no, time FROM @audit_heads ORDER BY head_no DESC LIMIT 1) AS newest
  WHERE last_audit_no <= (
    SELECT last_audit_no FROM @audit_heads AS earlier WHERE earlier.head_no < newest.head_no
    ORDER BY earlier.head_no DESC LIMIT 1)`;

type OwnOfStore = 'unsealed' | 'numberRows';

export function createHeads(database: Database): Omit<AuditHeadStore, OwnOfStore> {
  return {
    ...createAuditChain(database),
    isAuthentic: (row) =>
      database.rowMacs.verify(auditClaim(row), Buffer.from(row.mac ?? '', 'hex')),
    acceptDamage: (damage, by, reason) =>
      database.transaction((sql) => acceptDamage(sql, damage, by, reason)),
    addHead: (head, tiles) =>
      database.transaction(async (sql) => {
        const added = await sql.run(
          `INSERT INTO @audit_heads
             (head_no, first_audit_no, last_audit_no, time, previous_hash, rows_hash, hash, key_id,
              signature, tree_first, salt_seed)
           VALUES (:headNo, :firstAuditNo, :lastAuditNo, :time, :previousHash, :rowsHash, :hash,
                   :keyId, :signature, :treeFirst, :saltSeed)
           ON CONFLICT DO NOTHING`,
          { ...head },
        );
        if (added === 0) return false;
        const { treeFirst } = head;
        await sql.run(
          `INSERT INTO @audit_tiles (tree_first, level, tile_no, hashes)
           SELECT "treeFirst", level, "tileNo", decode(hashes, 'hex')
           FROM json_to_recordset(:tiles::json) AS made
             ("treeFirst" bigint, level integer, "tileNo" bigint, hashes text)
           WHERE true ON CONFLICT (tree_first, level, tile_no) DO UPDATE SET hashes = excluded.hashes`,
          { tiles: rowsOf(tiles.map((tile) => ({ treeFirst, ...tile }))) },
        );
        return true;
      }),
    cutRows: (cut, tiles) => database.transaction((sql) => cutRows(sql, cut, tiles)),
  };
}
