// Rows as the driver gives them. It refuses whole rows for one number beyond 2^53, so one task with such a number
// would hide all others: those are read again, and rounded.
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

type Given = readonly SQLInputValue[];
type Row = Record<string, SQLOutputValue>;

const READS = /^\s*(?:SELECT|WITH)\b(?!.*\bRETURNING\b)/is;

export function readAll(statement: StatementSync, given: Given): Row[] {
  return rounded(statement, () => statement.all(...given));
}

export function readFirst(statement: StatementSync, given: Given): Row | undefined {
  return rounded(statement, () => [statement.get(...given)])[0];
}

function rounded<T extends Row | undefined>(statement: StatementSync, read: () => T[]): T[] {
  try {
    return read();
  } catch (error) {
    // What writes must not run twice.
    if (!isOutOfRange(error) || !READS.test(statement.sourceSQL)) throw error;
    statement.setReadBigInts(true);
    try {
      const rows = read();
      for (const row of rows) if (row !== undefined) roundIn(row);
      return rows;
    } finally {
      statement.setReadBigInts(false);
    }
  }
}

function roundIn(row: Row): void {
  for (const [name, value] of Object.entries(row))
    if (typeof value === 'bigint') row[name] = Number(value);
}

function isOutOfRange(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_OUT_OF_RANGE';
}
