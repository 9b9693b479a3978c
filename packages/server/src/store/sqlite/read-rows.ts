// Reads rows with numbers larger than 2^53. The driver throws for the whole result because of one such
// number, so one task would hide all others: these rows are read again, and the number is rounded.
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
    // A statement that writes must not run twice.
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
