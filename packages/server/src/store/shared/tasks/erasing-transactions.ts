// Transactions at targets, each recorded before its commit, and calls of targets that have none, recorded before they are
// made. Removed with the outcomes of their tasks. There are as many
// as there are batches at work, and those whose workers died.
import { byName } from '../../../domain/by-name.ts';
import { tablesFromJson } from '../../../domain/stored-json.ts';
import type {
  OpenTransaction,
  RecordedTransaction,
  TransactionOfTask,
} from '../../../domain/task/fulfilment-ports.ts';
import type { Tables } from '../../../domain/task/task.ts';
import { rowsOf, type Sql } from '../../sql.ts';
import { storedJson } from '../../stored-text.ts';
import { endIntents } from './record-intents.ts';

interface Row {
  readonly no: string;
  readonly name: string | null;
  readonly recordedTime: number;
  readonly tables: string;
}

/** Runs in the caller's transaction, after the fence was checked. */
export async function recordTransaction(
  sql: Sql,
  target: string,
  { name, tables }: RecordedTransaction,
  now: number,
): Promise<void> {
  if (tables.size === 0) return;
  await forgetTransactions(sql, target, [...tables.keys()]);
  await sql.run(
    `INSERT INTO @erasing_transactions (transaction_id, target, name, recorded_time, tables)
     VALUES (:id, :target, :name, :now, :tables)`,
    { id: crypto.randomUUID(), target, name, now, tables: textOf(tables) },
  );
}

export async function openTransactions(
  sql: Sql,
  target: string,
  taskNos: readonly number[],
): Promise<OpenTransaction[]> {
  const asked = new Set(taskNos);
  return (await readTransactions(sql, target)).flatMap(({ tables, ...row }) => {
    const own = tablesOf(tables).filter(([taskNo]) => asked.has(taskNo));
    return own.length === 0 ? [] : [{ ...row, tables: new Map(own) }];
  });
}

/** Runs in the caller's transaction, after the fence was checked. */
export async function endTransactions(
  sql: Sql,
  target: string,
  ends: readonly TransactionOfTask[],
): Promise<void> {
  const known = ends.flatMap(({ taskNo, reported }) =>
    reported === null ? [] : [{ taskNo, reported: storedJson(reported) }],
  );
  await sql.run(
    `UPDATE @tasks SET reported = known.reported
     FROM json_to_recordset(:known::json) AS known ("taskNo" bigint, reported text)
     WHERE tasks.task_no = known."taskNo"`,
    { known: rowsOf(known) },
  );
  await endIntents(
    sql,
    ends.map(({ taskNo, reported }) => ({
      taskNo,
      state: reported === null ? 'recorded' : 'done',
    })),
  );
  await forgetTransactions(
    sql,
    target,
    ends.map(({ taskNo }) => taskNo),
  );
}

/** Runs in the caller's transaction. A row stays while it names a task whose attempt has not ended. */
export async function forgetTransactions(
  sql: Sql,
  target: string,
  taskNos: readonly number[],
): Promise<void> {
  if (taskNos.length === 0) return;
  const ended = new Set(taskNos);
  for (const { no, tables } of await readTransactions(sql, target)) {
    const all = tablesOf(tables);
    const left = all.filter(([taskNo]) => !ended.has(taskNo));
    if (left.length === all.length) continue;
    await (left.length === 0
      ? sql.run('DELETE FROM @erasing_transactions WHERE transaction_id = :no', { no })
      : sql.run('UPDATE @erasing_transactions SET tables = :tables WHERE transaction_id = :no', {
          no,
          tables: textOf(new Map(left)),
        }));
  }
}

function readTransactions(sql: Sql, target: string): Promise<Row[]> {
  return sql.all<Row>(
    `SELECT transaction_id AS no, name, recorded_time AS "recordedTime", tables
     FROM @erasing_transactions WHERE target = :target ORDER BY recorded_time, transaction_id`,
    { target },
  );
}

function textOf(tables: ReadonlyMap<number, Tables>): string {
  return JSON.stringify([...tables].map(([taskNo, own]) => [taskNo, JSON.stringify(own)]));
}

function tablesOf(text: string): [number, Tables][] {
  const all = JSON.parse(text) as [number, string][];
  return all.map(([taskNo, own]) => [taskNo, tablesFromJson(own) ?? byName()]);
}
