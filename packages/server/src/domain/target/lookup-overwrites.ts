import { isSameTable } from './same-table.ts';
import type { Overwrite, ResolveConfig, TargetConfig } from './target.ts';

/**
 * What a target writes into the column that a lookup reads. Tables are compared by name alone, because the address
 * of one database may be written in several ways.
 */
export function lookupOverwrites(target: TargetConfig, { table, to }: ResolveConfig): Overwrite[] {
  if (!('work' in target) || target.work.kind !== 'tables') return [];
  return target.work.tables.flatMap((entry) => {
    if (entry.action.kind !== 'overwrite' || !isSameTable(entry.table, table)) return [];
    return Object.entries(entry.action.columns).flatMap(([column, overwrite]) =>
      column.toLowerCase() === to.column.toLowerCase() ? [overwrite] : [],
    );
  });
}
