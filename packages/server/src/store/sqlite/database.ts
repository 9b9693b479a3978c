// The port on an SQLite connection. Statements are synchronous, so their promises are already fulfilled;
// but other code may run between two statements of a transaction. So a transaction owns its connection:
// everything else on it waits for the end.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { createRowMacs, type RowMacs } from '../../domain/keys/row-macs.ts';
import { type Dialect, type SqliteStatement, sqliteStatement } from '../dialect.ts';
import { type Database, hex, type Rows, type Sql, type Transaction, type Values } from '../sql.ts';
import { prepareWrite } from './prepare-write.ts';
import { readAll, readFirst } from './read-rows.ts';
import { inTransaction } from './transaction.ts';

export interface SqliteDatabase extends Database {
  /** Runs synchronous work when no transaction owns the connection. */
  alone<T>(work: () => T): Promise<T>;
}

const SQLITE: Dialect = {
  requestTables: ['@requests'],
  auditTables: ['@audit_rows'],
  arrivalTable: '@audit_rows',
  arrivalNo: 'audit_no',
  lateNumbersMs: 0,
};

/** Told how long a writing transaction took, with its commit. */
type Committed = (ms: number) => void;

const ports = new WeakMap<DatabaseSync, SqliteDatabase>();

/** One for each connection, however often it is requested, so that all its users wait for each other. */
export function databaseOn(connection: DatabaseSync, committed?: Committed): SqliteDatabase {
  const known = ports.get(connection);
  if (known !== undefined) return known;
  const made = makeDatabase(connection, committed);
  ports.set(connection, made);
  return made;
}

/**
 * Writing transactions, by database file. SQLite makes a second one wait by blocking the thread, so if both were in
 * the same thread, neither could continue. So they wait for each other here, whichever connections they use.
 */
const writing = new Map<unknown, Promise<void>>();

function makeDatabase(
  connection: DatabaseSync,
  committed: Committed = () => undefined,
): SqliteDatabase {
  const file = connection.location() ?? connection;
  /** Resolves when the transaction that owns the connection has ended. */
  let owned: Promise<void> | undefined;
  const rowMacs = createRowMacs();
  const statements = createStatements(connection, rowMacs);
  const inside: Transaction = {
    ...statements,
    // There is only one writing transaction at a time, so no further lock is needed.
    lock: async () => undefined,
  };

  async function whenFree<T>(work: () => T | Promise<T>): Promise<T> {
    while (owned !== undefined) await owned;
    return work();
  }

  async function whenWritable<T>(work: () => T | Promise<T>): Promise<T> {
    for (;;) {
      const busy = owned ?? writing.get(file);
      if (busy === undefined) return work();
      await busy;
    }
  }

  async function own<T>(begin: string, work: () => Promise<T>): Promise<T> {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    owned = promise;
    const isWriting = begin !== 'BEGIN';
    if (isWriting) writing.set(file, promise);
    try {
      connection.exec(begin);
      const begun = performance.now();
      const result = await work();
      connection.exec('COMMIT');
      if (isWriting) committed(performance.now() - begun);
      return result;
    } catch (error) {
      if (connection.isOpen && connection.isTransaction) connection.exec('ROLLBACK');
      throw error;
    } finally {
      owned = undefined;
      if (isWriting) writing.delete(file);
      release();
    }
  }

  const database: SqliteDatabase = {
    dialect: SQLITE,
    rowMacs,
    all: <Row>(text: string, values?: Values) => whenFree(() => statements.all<Row>(text, values)),
    get: <Row>(text: string, values?: Values) => whenFree(() => statements.get<Row>(text, values)),
    run: (text, values) => whenWritable(() => statements.run(text, values)),
    // IMMEDIATE takes the write lock first, so nothing read inside can be outdated by another transaction.
    transaction: (work) => whenWritable(() => own('BEGIN IMMEDIATE', () => work(inside))),
    snapshot: (read) => whenFree(() => own('BEGIN', () => read(inside))),
    alone: whenWritable,
    get unprepared() {
      return database;
    },
  };
  return database;
}

interface Prepared extends Omit<SqliteStatement, 'text'> {
  readonly statement: StatementSync;
}

function createStatements(connection: DatabaseSync, rowMacs: RowMacs): Sql {
  const known = new Map<string, Prepared>();

  const writes = new Map<string, Prepared>();

  function prepare(text: string, isRun: boolean): Prepared {
    const cache = isRun ? writes : known;
    const found = cache.get(text);
    if (found !== undefined) return found;
    const { text: own, ...rest } = sqliteStatement(text);
    const statement = isRun ? prepareWrite(connection, own) : connection.prepare(own);
    const prepared = { ...rest, statement };
    cache.set(text, prepared);
    return prepared;
  }

  /** Runs once; or once for each row, all of them or none. */
  function each<T>(text: string, values: Values, run: Run<T>, isRun = false): T[] {
    const { statement, names, rows } = prepare(text, isRun);
    if (rows === undefined) return [run(statement, bound(names, values))];
    const list = (values[rows.name] as Rows).rows as readonly Values[];
    const valuesOf = rows.places.map((place) =>
      'column' in place
        ? (row: Values) => (row[place.column] ?? null) as SQLInputValue
        : sameForAll(place.value, values),
    );
    const runAll = () =>
      list.map((row) =>
        run(
          statement,
          valuesOf.map((read) => read(row)),
        ),
      );
    return list.length > 1 && !connection.isTransaction
      ? inTransaction(connection, runAll)
      : runAll();
  }

  return {
    dialect: SQLITE,
    rowMacs,
    all: async <Row>(text: string, values: Values = {}) =>
      each(text, values, readAll).flat() as unknown as Row[],
    get: async <Row>(text: string, values: Values = {}) =>
      each(text, values, readFirst)[0] as unknown as Row | undefined,
    run: async (text, values = {}) =>
      each(text, values, (it, given) => Number(it.run(...given).changes), true).reduce(
        (a, b) => a + b,
        0,
      ),
  };
}

/** The driver wants named values first, if there are any; an empty object would cost a microsecond. */
type Given = readonly SQLInputValue[];
type Run<T> = (statement: StatementSync, given: Given) => T;

function bound(names: readonly string[], values: Values): Given {
  if (names.length === 0) return [];
  const given: Record<string, SQLInputValue> = {};
  for (const name of names) given[name] = inputOf(name, values);
  return [given as unknown as SQLInputValue];
}

function sameForAll(name: string, values: Values): () => SQLInputValue {
  const value = inputOf(name, values);
  return () => value;
}

function inputOf(name: string, values: Values): SQLInputValue {
  const value = values[name];
  if (value === undefined) throw new Error(`a statement has no value for :${name}`);
  return Array.isArray(value) ? jsonOf(value) : (value as SQLInputValue);
}

function jsonOf(list: readonly unknown[]): string {
  return JSON.stringify(list.map((it) => (it instanceof Uint8Array ? hex(it) : it)));
}
