// Whether a backup of the store was restored and no operator has confirmed it: then nothing starts and nothing
// is erased.
import { SYSTEM } from '../../../domain/store/restore.ts';
import { EVERYTHING } from '../../../domain/task/pause-ports.ts';
import type { Sql } from '../../sql.ts';
import { loggedRestore } from '../tasks/logged-pauses.ts';

/** A condition for statements. */
export const NOT_WENT_BACK = 'NOT EXISTS (SELECT 1 FROM @restores WHERE confirmed_time IS NULL)';

/** A restore is a pause by the system, too. If the rows were deleted, the audit log decides. */
export async function wentBack(sql: Sql): Promise<boolean> {
  const row = await sql.get(
    `SELECT 1 AS found FROM @restores WHERE confirmed_time IS NULL
     UNION ALL
     SELECT 1 AS found FROM @brakes WHERE scope = '${EVERYTHING}' AND paused_by = '${SYSTEM}'`,
  );
  return row !== undefined || (await loggedRestore(sql)) !== undefined;
}
