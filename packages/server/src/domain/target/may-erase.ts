import { isSameTable } from './same-table.ts';
import type { TargetConfig } from './target.ts';

/**
 * Whether a target may erase rows of a table in which identities are looked up. It is not known what an endpoint,
 * a module or statements erase, so they may. Tables are compared by name alone: a table of the same name in another
 * database counts too.
 */
export function mayEraseFrom(target: TargetConfig, table: string): boolean {
  if (!('work' in target) || target.work.kind === 'statements') return true;
  const { tables, cascades, detach = [] } = target.work;
  const erased = tables.flatMap((entry) => (entry.action.kind === 'retain' ? [] : entry.table));
  const emptied = detach.map((column) => column.table);
  return [...erased, ...cascades, ...emptied].some((own) => isSameTable(own, table));
}
