// After an operator's release: looked-up identities are dropped, and looked up again.
import { droppedLookups } from '../../../domain/task/dropped-lookups.ts';
import type { Sql } from '../../sql.ts';
import { changeTasks, readKnownTasks } from './add-identities.ts';
import { digestSealed } from './digest-sealed.ts';

export interface LookedUpAnew {
  /** Digests of the sets of identities that were dropped. */
  readonly dropped: readonly string[];
  /** Targets that get another run. */
  readonly again: readonly string[];
}

/** Inside a transaction that holds the request, after the task was released. */
export async function lookUpAnew(
  sql: Sql,
  { requestNo, taskNo }: { readonly requestNo: number; readonly taskNo: number },
  now: number,
): Promise<LookedUpAnew> {
  const sources = await sql.all<{ source: string }>(
    'SELECT DISTINCT source FROM @added_identities WHERE request_no = :requestNo ORDER BY source',
    { requestNo },
  );
  const targets = sources.flatMap(({ source }) => (isOperator(source) ? [] : source));
  const tasks = await readKnownTasks(sql, requestNo);
  const { dropped, isLookedUpAgain } = droppedLookups(taskNo, targets, tasks);
  const sets: Uint8Array[] = [];
  for (const source of dropped) {
    const rows = await sql.all<{ sealed: Uint8Array }>(
      `DELETE FROM @added_identities WHERE request_no = :requestNo AND source = :source
       RETURNING sealed`,
      { requestNo, source },
    );
    sets.push(...rows.map(({ sealed }) => sealed));
  }
  const again = isLookedUpAgain ? await changeTasks(sql, requestNo, now) : [];
  return { dropped: sets.map(digestSealed), again };
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
