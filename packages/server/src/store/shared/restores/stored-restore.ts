// The row of a restore, and whether Unwrite wrote it.
import {
  confirmedRestoreClaim,
  openRestoreClaim,
  type RowMacs,
} from '../../../domain/keys/row-macs.ts';
import type { Restore } from '../../../domain/store/restore.ts';
import type { Sql } from '../../sql.ts';

export const OPEN = 'confirmed_time IS NULL';

export const RESTORE = `SELECT restore_no AS "restoreNo", detected_time AS "detectedTime",
  detected_by AS "detectedBy", reason, last_head_no AS "lastHeadNo",
  reviewed_time AS "reviewedTime", confirmed_time AS "confirmedTime",
  confirmed_by AS "confirmedBy", confirm_mac AS "confirmMac", mac FROM @restores`;

export interface StoredRestore extends Restore {
  readonly confirmedBy: string | null;
  readonly confirmMac: Uint8Array | null;
  readonly mac: Uint8Array | null;
}

/** Of one that is not confirmed. */
export const isDeclaredByUs = (row: StoredRestore, macs: RowMacs) =>
  macs.verify(openRestoreClaim(row), row.mac);

export const isConfirmedByUs = (row: StoredRestore, macs: RowMacs) =>
  macs.verifyOrReport(confirmedRestoreClaim(row), row.confirmMac);

/** Undefined if there is none, or if someone else has written or changed it. */
export async function readOpen(sql: Sql, macs: RowMacs): Promise<StoredRestore | undefined> {
  const row = await sql.get<StoredRestore>(`${RESTORE} WHERE ${OPEN}`);
  return row !== undefined && isDeclaredByUs(row, macs) ? row : undefined;
}
