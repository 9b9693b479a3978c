// After an operator's release, lookups are made again. Earlier results stay with the request, and count if
// they are proven again.
import { isGiven } from '../../../domain/request/identity-source.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import type { Sql } from '../../sql.ts';
import { changeTasks } from './add-identities.ts';

/**
 * Runs in a transaction that has locked the request, after the task was released. Returns the targets that
 * get another run.
 */
export async function lookUpAnew(
  sql: Sql,
  { requestNo }: { readonly requestNo: number },
  now: number,
  asked: Actor | null,
): Promise<readonly string[]> {
  const sources = await sql.all<{ source: string }>(
    'SELECT DISTINCT source FROM @added_identities WHERE request_no = :requestNo ORDER BY source',
    { requestNo },
  );
  return sources.some(({ source }) => !isGiven(source))
    ? changeTasks(sql, requestNo, now, asked)
    : [];
}

/** Whether an operator has added identities. */
export async function hasAddedIdentities(sql: Sql, requestNo: number): Promise<boolean> {
  const rows = await sql.all<{ source: string }>(
    'SELECT DISTINCT source FROM @added_identities WHERE request_no = :requestNo',
    { requestNo },
  );
  return rows.some(({ source }) => isGiven(source));
}
