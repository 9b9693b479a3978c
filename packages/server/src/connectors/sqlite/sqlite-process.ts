// Entry of the process that runs statements on an operator's SQLite file. SQLite cannot be stopped in the
// middle of a statement from JavaScript, and ending a thread waits for the statement (measured: 5 s of 5),
// so it is a process, which can be killed; SQLite then rolls back.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteAnswer, SqliteOptions, SqliteQuery } from './sqlite-messages.ts';

/** Few shapes of statements exist; hand-written ones are few too. */
const MOST_STATEMENTS = 200;

const prepared = new Map<string, StatementSync>();
let database: DatabaseSync | undefined;

function open({ path, busyTimeout }: SqliteOptions): void {
  // A missing file would otherwise be made, and everybody found nowhere in it.
  new DatabaseSync(path, { readOnly: true }).close();
  database = new DatabaseSync(path, { timeout: busyTimeout });
  // What is deleted is overwritten, not left in free pages of the file.
  database.exec('PRAGMA secure_delete = ON');
}

function prepare(sql: string): StatementSync {
  const before = prepared.get(sql);
  if (before !== undefined) return before;
  if (database === undefined) throw new Error('not opened');
  if (prepared.size >= MOST_STATEMENTS) prepared.clear();
  const statement = database.prepare(sql);
  prepared.set(sql, statement);
  return statement;
}

function run({ sql, values }: SqliteQuery): SqliteAnswer {
  const statement = prepare(sql);
  if (statement.columns().length === 0)
    return { rows: [], changes: Number(statement.run(...(values as SQLInputValue[])).changes) };
  const rows = statement.all(...(values as SQLInputValue[]));
  return { rows, changes: rows.length };
}

function answer(message: SqliteOptions | SqliteQuery): SqliteAnswer {
  try {
    if ('sql' in message) return run(message);
    open(message);
    return { rows: [], changes: 0 };
  } catch (error) {
    // The message may quote data: only the number leaves this process.
    return { errcode: (error as { errcode?: number }).errcode ?? -1 };
  }
}

process.on('message', (message: SqliteOptions | SqliteQuery) => process.send?.(answer(message)));
// Whoever started it is gone, or done with it.
process.on('disconnect', () => {
  database?.close();
});
