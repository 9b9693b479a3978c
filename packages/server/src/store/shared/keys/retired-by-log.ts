// When a master key was retired, by the audit log: the column can be set by anyone with write access, and a key that
// is destroyed too early takes the backups with it that need it.
import { readDetail } from '../../../domain/audit/read-detail.ts';
import type { Sql } from '../../sql.ts';
import { isOurs, type RowWithMac, selectClaimed } from '../audit/claimed-rows.ts';
import { isCutSince } from '../audit/cut-audit.ts';

/** Reads the whole log: only called for a key that is about to be destroyed. */
export async function retiredByLog(
  sql: Sql,
  masterKeyId: string,
  retiredTime: number,
): Promise<number | null> {
  const rows = await sql.all<RowWithMac>(selectClaimed(sql, "action = 'master_key.retired'"));
  const times = rows
    .filter((row) => readDetail(row).master_key === masterKeyId)
    .filter(isOurs(sql.rowMacs))
    .map(({ time }) => time);
  if (times.includes(retiredTime)) return Math.max(...times);
  if (times.length === 0 && (await isCutSince(sql, sql.rowMacs, retiredTime))) return retiredTime;
  sql.rowMacs.refuse({ kind: 'master key', id: masterKeyId }, 'it was retired at another time');
  return times.length === 0 ? null : Math.max(...times);
}
