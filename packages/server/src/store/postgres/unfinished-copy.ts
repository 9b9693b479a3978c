import { NotPossible } from '../../domain/task/operator-ports.ts';
import type { Sql } from './database.ts';

/** What `store_copy.source_state` begins with while a backup is restored into the schema. */
export const RESTORING = 'backup';

/** A store that is an unfinished copy or restore of another one must neither answer requests nor erase. */
export async function refuseUnfinishedCopy(sql: Sql): Promise<void> {
  const found = await sql.get('SELECT 1 FROM @store_copy WHERE finished_time IS NULL');
  if (found === undefined) return;
  throw new NotPossible(
    (await isRestoring(sql))
      ? 'a backup is being restored into the store, or its restore was interrupted: wait for its end, or run "unwrite backup restore" again'
      : 'the store is an unfinished copy of another and cannot be used; run "unwrite store copy" again with the same --from and --to to continue it',
  );
}

export async function isRestoring(sql: Sql): Promise<boolean> {
  const found = await sql.get(
    'SELECT 1 FROM @store_copy WHERE finished_time IS NULL AND source_state LIKE :restoring',
    { restoring: `${RESTORING} %` },
  );
  return found !== undefined;
}
