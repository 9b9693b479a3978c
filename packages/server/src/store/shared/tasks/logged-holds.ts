// The number of rows with which a task was held, according to the audit log: a release is valid for this
// number, even if the column differs.
import type { RequestKey } from '../../../domain/request/request.ts';
import { type LoggedHold, requireLoggedRows } from '../../../domain/task/logged-holds.ts';
import { NotPossible } from '../../../domain/task/operator-ports.ts';
import { countedByHold, type OperatedTask } from '../../../domain/task/task-rules.ts';
import type { Sql } from '../../sql.ts';
import { requestRows } from '../audit/request-rows.ts';

/** Refuses, and raises an alarm, if the log has another number. */
export async function requireRowsOfLog(sql: Sql, task: OperatedTask): Promise<void> {
  try {
    requireLoggedRows(task, await readHolds(sql, task));
  } catch (error) {
    const why = 'it was held with another number of rows';
    sql.rowMacs.refuse({ kind: 'task', id: String(task.taskNo) }, why);
    throw error;
  }
}

/** Undefined where the log has another number: what nobody has counted is not stated. */
export async function countedRows(sql: Sql, task: OperatedTask): Promise<number | undefined> {
  const rows = countedByHold(task);
  if (rows === undefined) return undefined;
  try {
    await requireRowsOfLog(sql, task);
    return rows;
  } catch (error) {
    if (error instanceof NotPossible) return undefined;
    throw error;
  }
}

/** A time at which this hold is the newest of its task, regardless of the clock: the log is read by time. */
export async function timeOfHold(
  sql: Sql,
  task: RequestKey & Pick<OperatedTask, 'taskNo'>,
  now: number,
): Promise<number> {
  const own = (await readHolds(sql, task)).filter((it) => it.task === task.taskNo);
  return Math.max(now, ...own.map(({ time }) => time + 1));
}

async function readHolds(sql: Sql, task: RequestKey): Promise<LoggedHold[]> {
  const rows = await requestRows(sql, task, 'task.held');
  return rows.map(({ time, detail }) => ({ time, ...detail }));
}
