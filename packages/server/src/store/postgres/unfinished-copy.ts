import { NotPossible } from '../../domain/task/operator-ports.ts';
import type { Sql } from './database.ts';

/** A store that is an unfinished copy of another one must neither answer requests nor erase. */
export async function refuseUnfinishedCopy(sql: Sql): Promise<void> {
  const found = await sql.get('SELECT 1 FROM @store_copy WHERE finished_time IS NULL');
  if (found === undefined) return;
  throw new NotPossible(
    'the store is an unfinished copy of another and cannot be used; run "unwrite store copy" again with the same --from and --to to continue it',
  );
}
