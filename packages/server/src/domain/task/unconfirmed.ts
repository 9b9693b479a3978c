// Rows that an attempt began to erase, if it is not known how that ended.
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

export function unconfirmedIn(tables: Tables): Counts {
  return byName(
    Object.entries(tables).flatMap(([table, { unconfirmed = 0 }]): [string, number][] =>
      unconfirmed > 0 ? [[table, unconfirmed]] : [],
    ),
  );
}
