import { StoreReadOnly } from '../../domain/store/store-unavailable.ts';
import type { Sql } from './database.ts';

/** Reads a table, and checks that the server accepts writes: a standby does not. */
export async function ping(sql: Sql): Promise<void> {
  const answer = await sql.get<{ isReadOnly: boolean }>(
    `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly",
            EXISTS (SELECT 1 FROM @controllers) AS "isRead"`,
  );
  if (answer?.isReadOnly === true) throw new StoreReadOnly();
}
