import { isSameTable } from './same-table.ts';
import type { TargetConfig } from './target.ts';

/**
 * Whether a target may erase rows of a table that identities are looked up in. What an endpoint, a module or statements erase
 * is not known. By its name, wherever it is: of a table of the same name elsewhere, the answer is the one that the target which
 * looks up goes by itself.
 */
export function mayEraseFrom(target: TargetConfig, table: string): boolean {
  if (!('work' in target) || target.work.kind === 'statements') return true;
  const { tables, cascades, detach = [] } = target.work;
  const erased = tables.flatMap((entry) => (entry.action.kind === 'retain' ? [] : entry.table));
  const emptied = detach.map((column) => column.table);
  return [...erased, ...cascades, ...emptied].some((own) => isSameTable(own, table));
}
