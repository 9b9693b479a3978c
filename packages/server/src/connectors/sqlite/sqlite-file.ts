// An operator's SQLite file, and the messages to it: one answer for each.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type ChangeCounters, createChangeCounters } from './sqlite-counters.ts';
import { ECHO } from './sqlite-exact-text.ts';
import type { SqliteAnswer, SqliteMessage, SqliteOptions, SqliteQuery } from './sqlite-messages.ts';

/** There are few different statements, including hand-written ones. */
const MAX_STATEMENTS = 200;

export interface SqliteFile {
  answer(message: SqliteMessage): SqliteAnswer;
  close(): void;
}

export function createSqliteFile(): SqliteFile {
  const prepared = new Map<string, StatementSync>();
  let options: SqliteOptions | undefined;
  let database: DatabaseSync | undefined;
  let counters: ChangeCounters | undefined;
  let isRunning = false;

  function open(given: SqliteOptions): DatabaseSync {
    const { path, busyTimeout } = given;
    // A missing file would otherwise be created, and every person reported as not found.
    new DatabaseSync(path, { readOnly: true }).close();
    options = given;
    database = new DatabaseSync(path, { timeout: busyTimeout });
    // Deleted data is overwritten, not left in free pages of the file.
    database.exec('PRAGMA secure_delete = ON');
    database.function(ECHO, { deterministic: true, directOnly: true }, (text) => text);
    return database;
  }

  /** Counters are valid for one schema; for another one they are made again. */
  function begin(): void {
    for (;;) {
      if (database === undefined || options === undefined) throw new Error('not opened');
      counters ??= createChangeCounters(database);
      database.exec('BEGIN IMMEDIATE');
      if (counters.start()) return;
      database.exec('ROLLBACK');
      prepared.clear();
      counters = undefined;
      database.close();
      open(options);
    }
  }

  function prepare(sql: string): StatementSync {
    const before = prepared.get(sql);
    if (before !== undefined) return before;
    if (database === undefined) throw new Error('not opened');
    if (prepared.size >= MAX_STATEMENTS) prepared.clear();
    const statement = database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  }

  function run({ sql, values }: SqliteQuery): SqliteAnswer {
    const statement = prepare(sql);
    isRunning = true;
    const columns = statement.columns().length;
    if (columns === 0)
      return { rows: [], changes: Number(statement.run(...(values as SQLInputValue[])).changes) };
    const rows = statement.all(...(values as SQLInputValue[]));
    return { rows, changes: rows.length, columns };
  }

  function answer(message: SqliteMessage): SqliteAnswer {
    isRunning = false;
    try {
      if ('sql' in message) return run(message);
      if ('begin' in message) begin();
      else open(message);
      return { rows: [], changes: 0 };
    } catch (error) {
      const { errcode = -1, message } = error as { errcode?: number; message?: string };
      return {
        errcode,
        ...constraintOf(errcode, message),
        ...faultOf(errcode, message, isRunning),
      };
    }
  }

  return { answer, close: () => database?.close() };
}

/** CHECK, NOT NULL, PRIMARY KEY and UNIQUE. */
const NAMED = new Set([275, 1299, 1555, 2067]);
const MAX_CHARACTERS = 200;

/** A message may quote data, with few exceptions: these contain only names from the schema. */
function constraintOf(errcode: number, message = ''): { constraint?: string } {
  const [, constraint] = /constraint failed: (.+)$/s.exec(message) ?? [];
  if (constraint === undefined || !NAMED.has(errcode)) return {};
  return { constraint: constraint.slice(0, MAX_CHARACTERS) };
}

const ERROR = 1;
const MISSING =
  /^(?:no such (function|table|column|module): |unknown (function): )([\w$.]{1,100})(?:\(\))?$/;

/** "x" in a trigger: SQLite looks for a column. Its message may be long, and contain anything. */
const QUOTED_TEXT = 'should this be a string literal in single-quotes?';
export const QUOTED = 'column of the name of a text in double quotes';

/** Such messages contain names from the schema, and no values. */
function faultOf(errcode: number, message = '', isRunning = false) {
  if (errcode !== ERROR) return {};
  const [, kind, unknown, name] = MISSING.exec(message) ?? [];
  if (name !== undefined) return { missing: `${kind ?? unknown} ${name}` };
  if (message.endsWith(QUOTED_TEXT)) return { missing: QUOTED };
  return isRunning && !message.startsWith('no such') ? { isOfValue: true } : {};
}
