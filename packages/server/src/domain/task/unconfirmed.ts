// Rows that an attempt may have erased, if its target cannot say whether it did.
import { byName } from '../by-name.ts';
import type { Counts } from '../target/connector.ts';
import type { TableEvidence, Tables } from './task.ts';

/** Adds them to what a task has reported as erased. */
export function withUnconfirmed(reported: Tables, erasing: Counts): Tables {
  const tables = byName<TableEvidence>(Object.entries(reported));
  for (const [table, rows] of Object.entries(erasing)) {
    const known = tables[table] ?? { action: 'erase', rows: 0 };
    if (rows > 0) tables[table] = { ...known, unconfirmed: (known.unconfirmed ?? 0) + rows };
  }
  return tables;
}

/** `recorded`: what all attempts have erased, if the last one did. Its own rows are unconfirmed. */
export function withUnknownEnd(reported: Tables, recorded: Tables): Tables {
  const before = withUnconfirmed(reported, less(unconfirmedIn(recorded), unconfirmedIn(reported)));
  return withUnconfirmed(before, rowsOfAttempt(reported, recorded));
}

/** The rows that an attempt was about to erase, beyond what was reported before. */
export function rowsOfAttempt(reported: Tables, recorded: Tables): Counts {
  return less(rowsIn(recorded), rowsIn(reported));
}

export function unconfirmedIn(tables: Tables): Counts {
  return countsOf(tables, ({ unconfirmed = 0 }) => unconfirmed);
}

const rowsIn = (tables: Tables) => countsOf(tables, ({ rows }) => rows);

function countsOf(tables: Tables, count: (table: TableEvidence) => number): Counts {
  const counts = Object.entries(tables).map(([table, own]): [string, number] => [
    table,
    count(own),
  ]);
  return byName(counts.filter(([, rows]) => rows > 0));
}

function less(counts: Counts, others: Counts): Counts {
  const left = Object.entries(counts).map(([table, rows]): [string, number] => [
    table,
    rows - (others[table] ?? 0),
  ]);
  return byName(left.filter(([, rows]) => rows > 0));
}
