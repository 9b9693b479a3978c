// After an operator's release: lookups are made again. What they gave before stays with the request, and counts if it is
// proven again.
import type { Sql } from '../../sql.ts';
import { changeTasks } from './add-identities.ts';

/** Inside a transaction that holds the request, after the task was released. Answers the targets that get another run. */
export async function lookUpAnew(
  sql: Sql,
  { requestNo }: { readonly requestNo: number },
  now: number,
): Promise<readonly string[]> {
  const sources = await sql.all<{ source: string }>(
    'SELECT DISTINCT source FROM @added_identities WHERE request_no = :requestNo ORDER BY source',
    { requestNo },
  );
  return sources.some(({ source }) => !isOperator(source)) ? changeTasks(sql, requestNo, now) : [];
}

/** Whether an operator has added identities. */
export async function hasAddedIdentities(sql: Sql, requestNo: number): Promise<boolean> {
  const rows = await sql.all<{ source: string }>(
    'SELECT DISTINCT source FROM @added_identities WHERE request_no = :requestNo',
    { requestNo },
  );
  return rows.some(({ source }) => isOperator(source));
}

/** `operator:…`; names of targets have no colon. */
const isOperator = (source: string) => source.includes(':');
