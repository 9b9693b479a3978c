// A lookup in a later run found identities that the request did not have: what was done without them is done again.
import { tasksAfterIdentities } from '../../../domain/task/identified-tasks.ts';
import type { Sql } from '../../sql.ts';
import { readKnownTasks } from '../requests/add-identities.ts';
import { addTasks } from './add-tasks.ts';

/** By request: targets that get another run. `isAsked`: of a request that was completed. */
export type RunsWithDerived = ReadonlyMap<
  number,
  { readonly targets: readonly string[]; readonly isAsked: boolean }
>;

/** Inside a transaction that holds the requests, after the identities were added. */
export async function runWithDerived(
  sql: Sql,
  found: readonly { readonly requestNo: number; readonly taskNo: number }[],
  now: number,
): Promise<RunsWithDerived> {
  const added = new Map<number, { targets: string[]; isAsked: boolean }>();
  const finders = await sql.all<Finder>(
    `SELECT request_no AS "requestNo", asked_time AS "askedTime", asked_by AS "askedBy"
     FROM @tasks AS finder
     WHERE task_no = ANY(:taskNos::bigint[]) AND EXISTS (
       SELECT 1 FROM @tasks AS done
       WHERE done.request_no = finder.request_no AND done.state IN ('erased', 'running'))
     ORDER BY task_no`,
    { taskNos: found.map(({ taskNo }) => taskNo) },
  );
  for (const [requestNo, [finder]] of Map.groupBy(finders, (one) => one.requestNo)) {
    const { runs } = tasksAfterIdentities(requestNo, await readKnownTasks(sql, requestNo), now);
    const { askedTime = null, askedBy = null } = finder ?? {};
    const asked = askedTime === null ? null : { actor: askedBy ?? '', now: askedTime };
    await addTasks(sql, runs, now, asked);
    if (runs.length > 0)
      added.set(requestNo, { targets: runs.map(({ target }) => target), isAsked: asked !== null });
  }
  return added;
}

interface Finder {
  readonly requestNo: number;
  /** When an operator asked for the run, if that was after the completion. */
  readonly askedTime: number | null;
  readonly askedBy: string | null;
}
